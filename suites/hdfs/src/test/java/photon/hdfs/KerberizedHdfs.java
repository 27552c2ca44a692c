package photon.hdfs;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A process: an HDFS that lets nobody in without a ticket, and the center that gives tickets. In a
 * process of its own, since a login of Hadoop's is the whole process's. In its directory are {@code
 * photon.keytab} with the keys of {@link #USER}, {@code conf} with Hadoop's configuration for
 * clients, and {@code krb5.conf}. Says {@code ready}, then takes a line for each command: {@code
 * home PATH} makes a directory that is {@link #USER}'s, {@code write PATH RECORD...} a file, {@code
 * published PATH} tells the records of the output there; each is answered with {@code done}. Ends
 * with its input.
 */
public final class KerberizedHdfs {
    static final String USER = "photon/worker";

    /** Tickets are soon of no use, so that a run outlives several. */
    static final long TICKET_SECONDS = 10;

    private static final String REALM = "PHOTON.TEST";
    private static final String SUPERUSER = "hdfs/localhost@" + REALM;
    private static final String WEB = "HTTP/localhost@" + REALM;
    private static final String PROTECTION = "privacy";

    private KerberizedHdfs() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // of the servers' logs
        try {
            run(Path.of(arguments[0]), answers);
            System.exit(0);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1); // threads of the servers go on
        }
    }

    private static void run(Path directory, PrintStream answers) throws Exception {
        File serversKeytab = directory.resolve("servers.keytab").toFile();
        startKdc(directory, serversKeytab);

        Configuration server = new HdfsConfiguration();
        forAll().forEach(server::set);
        for (String role : new String[] {"namenode", "datanode"}) {
            server.set("dfs." + role + ".kerberos.principal", SUPERUSER);
            server.set("dfs." + role + ".keytab.file", serversKeytab.getPath());
        }
        server.set("dfs.web.authentication.kerberos.principal", WEB);
        server.set("dfs.web.authentication.kerberos.keytab", serversKeytab.getPath());
        server.setBoolean("dfs.block.access.token.enable", true);
        // The DataNode may have ports that any user can open: what it sends is encrypted.
        server.setBoolean("ignore.secure.ports.for.testing", true);
        server.setInt("dfs.namenode.safemode.extension", 0);
        server.setInt("hadoop.kerberos.min.seconds.before.relogin", 1); // its tickets end, too
        UserGroupInformation.setConfiguration(server);
        UserGroupInformation.loginUserFromKeytab(SUPERUSER, serversKeytab.getPath());
        try (MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(server, directory.resolve("hdfs").toFile())
                        .numDataNodes(1)
                        .build()) {
            cluster.waitActive();
            writeConfiguration(directory.resolve("conf"), cluster.getURI().toString());
            serve(cluster.getFileSystem(), answers);
        }
    }

    private static void startKdc(Path directory, File serversKeytab) throws Exception {
        SimpleKdcServer kdc = new SimpleKdcServer();
        kdc.setWorkDir(directory.toFile());
        kdc.setKdcRealm(REALM);
        kdc.setKdcHost("localhost");
        kdc.setAllowUdp(false);
        try (ServerSocket free = new ServerSocket(0)) {
            kdc.setKdcTcpPort(free.getLocalPort());
        }
        kdc.getKdcConfig().setLong(KdcConfigKey.MAXIMUM_TICKET_LIFETIME, TICKET_SECONDS);
        kdc.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
        kdc.init();
        kdc.start();
        kdc.createAndExportPrincipals(serversKeytab, SUPERUSER, WEB);
        kdc.createAndExportPrincipals(
                directory.resolve("photon.keytab").toFile(), USER + "@" + REALM);
        System.setProperty("java.security.krb5.conf", directory.resolve("krb5.conf").toString());
    }

    private static Map<String, String> forAll() {
        return Map.of(
                "hadoop.security.authentication", "kerberos",
                "hadoop.rpc.protection", PROTECTION,
                "dfs.data.transfer.protection", PROTECTION,
                "dfs.namenode.kerberos.principal", SUPERUSER,
                "dfs.replication", "1");
    }

    /** What an administrator gives to users of the cluster. */
    private static void writeConfiguration(Path directory, String uri) throws IOException {
        Files.createDirectories(directory);
        Configuration client = new Configuration(false);
        forAll().forEach(client::set);
        client.set("fs.defaultFS", uri);
        try (Writer out = Files.newBufferedWriter(directory.resolve("core-site.xml"))) {
            client.writeXml(out);
        }
    }

    private static void serve(DistributedFileSystem files, PrintStream answers) throws IOException {
        answers.println("ready " + files.getUri());
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(words[1]);
            if (words[0].equals("write")) {
                try (FSDataOutputStream out = files.create(path)) {
                    for (int i = 2; i < words.length; i++) {
                        out.write((words[i] + "\n").getBytes(StandardCharsets.UTF_8));
                    }
                }
            } else if (words[0].equals("home")) {
                files.mkdirs(path);
                files.setOwner(path, USER.substring(0, USER.indexOf('/')), null);
            } else if (files.exists(path)) {
                try {
                    tell(files, path, answers);
                } catch (FileNotFoundException e) {
                    // A directory of Photon's own has gone behind the listing.
                }
            }
            answers.println("done");
        }
    }

    private static void tell(
            DistributedFileSystem files, org.apache.hadoop.fs.Path output, PrintStream answers)
            throws IOException {
        RemoteIterator<LocatedFileStatus> all = files.listFiles(output, true);
        while (all.hasNext()) {
            org.apache.hadoop.fs.Path path = all.next().getPath();
            if (!path.toString().contains("/_") && path.getName().endsWith(".jsonl")) {
                try (var in = files.open(path)) {
                    answers.print(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
    }
}
