package photon.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import photon.cli.Repository;
import photon.server.metrics.Scrape;

/**
 * Asks {@code promtool} which of our alerts fire if daemons go on reporting what they report now.
 * What counts the time of a failure goes on counting, and everything else stays as it is.
 */
final class FiringAlerts {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Longer than any alert of a gauge waits, but shorter than half a day of the certificate. */
    private static final String AFTER = "90m";

    private static final int MINUTES = 90;

    private FiringAlerts() {}

    static boolean canBeAsked() {
        try {
            return new ProcessBuilder("promtool", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * @param scrapes of each daemon by its name
     * @param away daemons that do not answer
     * @return empty if exactly these fire; otherwise what promtool says
     */
    static String unless(
            Collection<String> expected,
            Map<String, Scrape> scrapes,
            Collection<String> away,
            Path directory)
            throws IOException, InterruptedException {
        ObjectNode file = JSON.createObjectNode();
        file.putArray("rule_files")
                .add(
                        Repository.root()
                                .resolve("deploy/monitoring/prometheus/photon-alerts.yml")
                                .toString());
        file.put("evaluation_interval", "1m");
        ObjectNode test = file.putArray("tests").addObject().put("interval", "1m");
        ArrayNode series = test.putArray("input_series");
        scrapes.forEach((daemon, scrape) -> add(series, daemon, scrape));
        scrapes.keySet().forEach(daemon -> add(series, "up", "", daemon, "1", 0));
        away.forEach(daemon -> add(series, "up", "", daemon, "0", 0));
        ObjectNode moment = test.putArray("promql_expr_test").addObject();
        // How full and how slow this machine's disk is says nothing about Photon.
        moment.put(
                "expr",
                "group by (alertname) (ALERTS{alertstate=\"firing\", alertname!~\"PhotonDisk.*|PhotonRegistryDiskSlow\"})");
        moment.put("eval_time", AFTER);
        ArrayNode samples = moment.putArray("exp_samples");
        expected.forEach(
                name ->
                        samples.addObject()
                                .put("labels", "{alertname=\"" + name + "\"}")
                                .put("value", 1));
        return run(
                Files.write(directory.resolve("alerts-test.json"), JSON.writeValueAsBytes(file)));
    }

    private static void add(ArrayNode series, String daemon, Scrape scrape) {
        double now = System.currentTimeMillis() / 1e3;
        scrape.values.forEach(
                (sample, value) -> {
                    int brace = sample.indexOf('{');
                    String name = brace < 0 ? sample : sample.substring(0, brace);
                    if (!value.isInfinite() && !value.isNaN() && !name.endsWith("_bucket")) {
                        String labels =
                                brace < 0 ? "" : sample.substring(brace + 1, sample.length() - 1);
                        // The time of the test begins at 0.
                        boolean moment = name.endsWith("_timestamp_seconds") && value > 0;
                        boolean counts = name.equals("photon_check_failed_seconds") && value > 0;
                        add(
                                series,
                                name,
                                labels,
                                daemon,
                                new BigDecimal(moment ? value - now : value).toPlainString(),
                                counts ? 60 : 0);
                    }
                });
    }

    private static void add(
            ArrayNode series, String name, String labels, String daemon, String value, int step) {
        series.addObject()
                .put(
                        "series",
                        "%s{job=\"photon\",instance=\"%s:9464\"%s}"
                                .formatted(name, daemon, labels.isEmpty() ? "" : "," + labels))
                .put("values", "%s+%dx%d".formatted(value, step, MINUTES));
    }

    private static String run(Path test) throws IOException, InterruptedException {
        Process promtool =
                new ProcessBuilder(List.of("promtool", "test", "rules", test.toString()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        if (!promtool.waitFor(1, TimeUnit.MINUTES)) {
            throw new IOException("promtool does not end: " + said);
        }
        return promtool.exitValue() == 0 ? "" : said;
    }
}
