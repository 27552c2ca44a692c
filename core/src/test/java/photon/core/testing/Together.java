package photon.core.testing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Does something several times at once, in a thread each: each may wait for the others. */
public final class Together {
    private Together() {}

    public static void run(int count, IntConsumer work) {
        List<CompletableFuture<Void>> all =
                IntStream.range(0, count)
                        .mapToObj(
                                n ->
                                        CompletableFuture.runAsync(
                                                () -> work.accept(n),
                                                task -> new Thread(task, "together-" + n).start()))
                        .toList();
        all.forEach(CompletableFuture::join);
    }
}
