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
        return settings;
    }
}
