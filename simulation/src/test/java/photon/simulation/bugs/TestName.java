package photon.simulation.bugs;

/** A test of some module, with every case that it has. */
record TestName(String className, String method) {
    /** For people: the class without its package. */
    @Override
    public String toString() {
        return className.substring(className.lastIndexOf('.') + 1) + "." + method;
    }
}
