package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinResult.Status;

/** Whatever bytes come from a dispatcher, each item has an answer, and the joiner goes on. */
class SpoiltRequestsTest {
    private final JoinerBench bench = new JoinerBench().run();

    @Test
    void anItemWithBytesSpoiltAtRandomIsAnsweredAndEndsNothing() throws Exception {
        byte[] right = Events.item(1, 1, null).toByteArray();
        SplittableRandom random = new SplittableRandom(1);
        int sent = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = right.clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            JoinItem item;
            try {
                item = JoinItem.parseFrom(bytes);
            } catch (InvalidProtocolBufferException e) {
                // gRPC refuses it by itself.
                continue;
            }
            sent++;
            long number = 1_000L + i;
            bench.send(List.of(item.toBuilder().setNumber(number).build()));
            bench.run();
            assertThat(bench.statusOf(number)).as(item.toString()).isNotNull();
        }
        assertThat(sent).isGreaterThan(300);
        bench.send(List.of(Events.item(9_000, 3, null)));
        bench.run();
        assertThat(bench.statusOf(9_000)).isEqualTo(Status.JOINED);
    }
}
