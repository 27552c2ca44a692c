package photon.server.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;

/**
 * Serves {@code /metrics}, {@code /livez} and {@code /readyz} over HTTP, for machines of one's own:
 * there is neither encryption nor a login. Thread-safe.
 */
public final class MetricsEndpoint implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    /** A slow peer holds one of them for seconds; probes must find another one. */
    private static final int THREADS_MAX = 16;

    private static final int IDLE_SECONDS = 60;
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    static {
        // Otherwise a peer that sends or reads nothing would hold one of the few threads forever.
        // The probes of deploy/kubernetes wait for 5 s.
        System.setProperty("sun.net.httpserver.maxReqTime", "5");
        System.setProperty("sun.net.httpserver.maxRspTime", "30");
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Metrics metrics;
    private final HostPort address;
    private final HealthSource health;

    private MetricsEndpoint(HttpServer server, HostPort listen, HealthSource health) {
        this.health = health;
        this.server = server;
        this.metrics = new Metrics();
        this.address = new HostPort(listen.host(), server.getAddress().getPort());
        this.threads = threads();
    }

    /** They are made when they are needed, and end when they are idle. */
    private static ExecutorService threads() {
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(
                        THREADS_MAX,
                        THREADS_MAX,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, "metrics");
                            thread.setDaemon(true);
                            return thread;
                        });
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /**
     * Serves at once.
     *
     * @param from where the address stands, for people
     * @throws ConfigException if the address cannot be bound
     * @throws photon.core.error.FailedException if its name has no address now, or this machine not
     *     that address
     */
    public static MetricsEndpoint open(HostPort listen, String from, HealthSource health) {
        InetSocketAddress at = listen.resolved("metrics");
        HttpServer server;
        try {
            server = HttpServer.create(at, BACKLOG);
        } catch (IOException e) {
            throw listen.cannotListen(
                    "metrics", e, from + " as a free port of this machine, one a process");
        }
        MetricsEndpoint endpoint = new MetricsEndpoint(server, listen, health);
        server.setExecutor(endpoint.threads);
        server.createContext("/", endpoint::answer);
        server.start();
        return endpoint;
    }

    /** Where it really listens. */
    public HostPort address() {
        return address;
    }

    public Metrics metrics() {
        return metrics;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, METHOD_NOT_ALLOWED, TEXT, "Expected GET or HEAD\n");
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> scrape(exchange);
                case "/livez" -> tell(exchange, "livez", health.live());
                case "/readyz" -> tell(exchange, "readyz", health.ready());
                default ->
                        send(
                                exchange,
                                NOT_FOUND,
                                TEXT,
                                "Expected /metrics, /livez or /readyz; both take ?verbose\n");
            }
        }
    }

    private static void tell(HttpExchange exchange, String path, HealthReport report)
            throws IOException {
        String query = exchange.getRequestURI().getQuery();
        boolean verbose = query != null && Arrays.asList(query.split("&")).contains("verbose");
        send(exchange, report.passes() ? OK : UNAVAILABLE, TEXT, report.text(path, verbose));
    }

    private void scrape(HttpExchange exchange) throws IOException {
        String text;
        try {
            text = metrics.scrape().join();
        } catch (CompletionException e) {
            send(exchange, FAILED, TEXT, "No metrics now: " + e.getCause() + "\n");
            return;
        }
        send(exchange, OK, PROMETHEUS, text);
    }

    private static void send(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        metrics.close();
    }
}
