package photon.server.metrics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.core.rpc.HostPort;

/** What Prometheus would read: every line is checked against its text format. */
public final class Scrape {
    private static final Pattern SAMPLE =
            Pattern.compile(
                    "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{((?:[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\",?)*)})? "
                            + "(NaN|[+-]?Inf|[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([^ ]+) (counter|gauge|histogram|summary|untyped)");

    /** Name to type. */
    public final Map<String, String> types = new LinkedHashMap<>();

    /** Name and labels to value. */
    public final Map<String, Double> values = new TreeMap<>();

    private Scrape() {}

    static HttpResponse<String> get(HostPort at, String path)
            throws IOException, InterruptedException {
        return get(at, path, Duration.ofMinutes(5));
    }

    private static HttpResponse<String> get(HostPort at, String path, Duration within)
            throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + at + path))
                                .timeout(within)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    static CompletableFuture<HttpResponse<String>> begin(HostPort at, String path) {
        return HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(URI.create("http://" + at + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /** Reads {@code /metrics}. */
    public static Scrape of(HostPort at) throws IOException, InterruptedException {
        return read(get(at, "/metrics"));
    }

    /**
     * @throws java.net.http.HttpTimeoutException if there is no answer within this time
     */
    public static Scrape of(HostPort at, Duration within) throws IOException, InterruptedException {
        return read(get(at, "/metrics", within));
    }

    private static Scrape read(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(
                        type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        Scrape scrape = new Scrape();
        response.body().lines().forEach(scrape::read);
        return scrape;
    }

    private void read(String line) {
        Matcher type = TYPE.matcher(line);
        if (type.matches()) {
            assertThat(types.put(type.group(1), type.group(2))).as("TYPE once: " + line).isNull();
        } else if (!line.startsWith("# HELP ")) {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as("a sample of the text format: " + line).isTrue();
            String labels = sample.group(2) == null ? "" : "{" + sample.group(2) + "}";
            String value = sample.group(3);
            assertThat(family(sample.group(1))).as("typed before: " + line).isNotNull();
            values.put(
                    sample.group(1) + labels,
                    value.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(value));
        }
    }

    private String family(String name) {
        for (String suffix : List.of("", "_bucket", "_sum", "_count")) {
            if (name.endsWith(suffix)
                    && types.containsKey(name.substring(0, name.length() - suffix.length()))) {
                return name;
            }
        }
        throw new AssertionError(name + " has no TYPE");
    }

    /** Of Photon's own metrics with this prefix. */
    public List<String> names(String prefix) {
        return types.keySet().stream().filter(name -> name.startsWith(prefix)).sorted().toList();
    }

    public double value(String sample) {
        assertThat(values).containsKey(sample);
        return requireNonNull(values.get(sample));
    }
}
