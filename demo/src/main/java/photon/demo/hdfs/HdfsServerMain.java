package photon.demo.hdfs;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.BindException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The main class of a process that is a NameNode or a DataNode: {@code namenode KEY=VALUE...}. It
 * says when it serves, and ends when its standard input is closed, so that none outlives its demo.
 * The servers' classes are on the class path of such a process alone, hence by name.
 */
public final class HdfsServerMain {
    static final String NAMENODE = "namenode";
    static final String DATANODE = "datanode";

    /** Its NameNode is new: the directory has to be made. */
    static final String FORMAT = "photon.demo.format";

    private static final String NAMENODE_CLASS = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String DATANODE_CLASS = "org.apache.hadoop.hdfs.server.datanode.DataNode";
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private HdfsServerMain() {}

    public static void main(String[] arguments) throws Exception {
        Thread end = new Thread(HdfsServerMain::endWithStdin, "until-stdin-closes");
        end.setDaemon(true);
        end.start();
        List<String> settings = Arrays.asList(arguments).subList(1, arguments.length);
        try {
            start(arguments[0], configuration(settings));
        } catch (InvocationTargetException e) {
            System.err.println("photon: " + reason(e.getCause() == null ? e : e.getCause()));
            Runtime.getRuntime().halt(1);
        }
        System.out.println("This " + arguments[0] + " serves on 127.0.0.1");
    }

    static Configuration configuration(List<String> settings) {
        Configuration configuration = new HdfsConfiguration();
        for (String setting : settings) {
            int at = setting.indexOf('=');
            configuration.set(setting.substring(0, at), setting.substring(at + 1));
        }
        return configuration;
    }

    private static void start(String role, Configuration configuration)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName(role.equals(NAMENODE) ? NAMENODE_CLASS : DATANODE_CLASS);
        if (role.equals(NAMENODE)) {
            if (configuration.getBoolean(FORMAT, false)) {
                // What makes a directory counts as a NameNode, and leaves the names of its metrics.
                DefaultMetricsSystem.setMiniClusterMode(true);
                type.getMethod("format", Configuration.class).invoke(null, configuration);
            }
            type.getMethod("createNameNode", String[].class, Configuration.class)
                    .invoke(null, new String[0], configuration);
            return;
        }
        Object dataNode =
                type.getMethod("createDataNode", String[].class, Configuration.class)
                        .invoke(null, new String[0], configuration);
        while (!type.getMethod("isDatanodeFullyStarted").invoke(dataNode).equals(true)) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    /** As the daemons of Photon say it: who started this may try another port. */
    static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return "Cannot listen: " + cause.getMessage();
            }
        }
        return failure.toString();
    }

    private static void endWithStdin() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes there
            }
        } catch (IOException e) {
            // its parent is gone
        }
        Runtime.getRuntime().halt(0);
    }
}
