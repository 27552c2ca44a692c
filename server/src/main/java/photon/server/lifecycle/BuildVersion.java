package photon.server.lifecycle;

/** The version of this build, as its jar's manifest says. */
public final class BuildVersion {
    private BuildVersion() {}

    public static String text() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
