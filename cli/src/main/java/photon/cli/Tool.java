package photon.cli;

import java.util.ServiceLoader;

/**
 * A verb that a production process does not need, such as {@code photon demo}: a command of picocli
 * that {@link ServiceLoader} finds if the launcher has put its jar on the class path.
 */
public interface Tool {}
