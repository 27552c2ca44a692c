package photon.demo;

/** How a piece of text looks on a terminal: the codes of ECMA-48 that every terminal knows. */
enum Ink {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    RED("1;31"),
    GREEN("32"),
    BOLD_GREEN("1;32"),
    YELLOW("33"),
    BLUE("36");

    private final String codes;

    Ink(String codes) {
        this.codes = codes;
    }

    String paint(String text) {
        return codes.isEmpty() || text.isEmpty() ? text : "\033[" + codes + "m" + text + "\033[0m";
    }
}
