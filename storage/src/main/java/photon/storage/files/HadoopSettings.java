package photon.storage.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import photon.core.config.HadoopConfig;

/** What Hadoop is told: by its own files, and before these by the pipeline's configuration. */
final class HadoopSettings {
    /** The environment variable that names the directory of Hadoop's configuration files. */
    static final String DIRECTORY = "HADOOP_CONF_DIR";

    private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml");

    /**
     * Hadoop's own values let one call wait for minutes when a server does not answer, and much
     * that can go on would wait behind it. Photon asks again by itself. In milliseconds, or times.
     */
    static final Map<String, String> PATIENCE =
            Map.ofEntries(
                    // NameNode, and a DataNode that is asked for a length.
                    Map.entry("ipc.client.connect.timeout", "5000"),
                    Map.entry("ipc.client.connect.max.retries", "2"),
                    Map.entry("ipc.client.connect.max.retries.on.timeouts", "1"),
                    Map.entry("ipc.client.rpc-timeout.ms", "30000"),
                    // Two NameNodes: a little longer than one takes over from the other.
                    Map.entry("dfs.client.failover.max.attempts", "8"),
                    // DataNodes.
                    Map.entry("dfs.client.socket-timeout", "20000"),
                    Map.entry("dfs.client.retry.window.base", "500"),
                    Map.entry("dfs.client.retry.interval-ms.get-last-block-length", "500"));

    private HadoopSettings() {}

    /** The settings, with a login if one is asked for: this process's, once and for all. */
    static Configuration enter(HadoopConfig config, Map<String, String> environment)
            throws IOException {
        Configuration settings = of(config, environment);
        if (config.login().isPresent()) {
            HadoopConfig.Login login = config.login().get();
            UserGroupInformation.setConfiguration(settings);
            UserGroupInformation.loginUserFromKeytab(login.principal(), login.keytab());
        }
        return settings;
    }

    static Configuration of(HadoopConfig config, Map<String, String> environment)
            throws IOException {
        Configuration settings = new Configuration();
        String directory = environment.getOrDefault(DIRECTORY, "");
        if (!directory.isEmpty()) {
            if (!Files.isDirectory(Path.of(directory))) {
                throw new NotDirectoryException(DIRECTORY + "=" + directory);
            }
            for (String name : FILES) {
                Path file = Path.of(directory, name);
                if (Files.exists(file)) {
                    settings.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
                }
            }
        }
        if (config.login().isPresent()) {
            settings.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, "kerberos");
            settings.setBoolean(
                    CommonConfigurationKeysPublic.HADOOP_KERBEROS_KEYTAB_LOGIN_AUTORENEWAL_ENABLED,
                    true);
        }
        config.settings().forEach(settings::set);
        // Otherwise Hadoop closes all at a signal, under those who are still writing what they
        // have.
        settings.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        PATIENCE.forEach(
                (key, value) -> {
                    if (!isSet(settings, key)) {
                        settings.set(key, value);
                    }
                });
        return settings;
    }

    /** By somebody, and not only by the files in Hadoop's own jars. */
    private static boolean isSet(Configuration settings, String key) {
        String[] sources = settings.getPropertySources(key);
        return sources != null
                && sources.length > 0
                && !sources[sources.length - 1].endsWith("-default.xml");
    }
}
