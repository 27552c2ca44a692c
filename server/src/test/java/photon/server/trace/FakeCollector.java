package photon.server.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Takes traces as a collector does, over HTTP, and keeps them. */
public final class FakeCollector implements AutoCloseable {
    private final HttpServer server;
    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();

    private FakeCollector(HttpServer server) {
        this.server = server;
    }

    public static FakeCollector start() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FakeCollector collector = new FakeCollector(server);
        server.createContext("/", collector::take);
        server.start();
        return collector;
    }

    /** One span, and who has sent it. */
    public record Received(Span span, Map<String, String> source) {
        public String attribute(String key) {
            return texts(span.getAttributesList()).getOrDefault(key, "");
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body = exchange.getRequestBody();
                InputStream bytes = packed ? new GZIPInputStream(body) : body) {
            received.addAll(ExportTraceServiceRequest.parseFrom(bytes).getResourceSpansList());
        }
        paths.add(exchange.getRequestURI().getPath());
        byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.close();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
    }

    public List<String> paths() {
        return paths;
    }

    public List<Received> spans() {
        return received.stream()
                .flatMap(
                        r ->
                                r.getScopeSpansList().stream()
                                        .flatMap(s -> s.getSpansList().stream())
                                        .map(
                                                span ->
                                                        new Received(
                                                                span,
                                                                texts(
                                                                        r.getResource()
                                                                                .getAttributesList()))))
                .toList();
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(
                        Collectors.toMap(
                                KeyValue::getKey,
                                a ->
                                        a.getValue().hasIntValue()
                                                ? Long.toString(a.getValue().getIntValue())
                                                : a.getValue().getStringValue()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
