package photon.storage.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.BugException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.HadoopFileStore;
import photon.storage.frames.FrameReader.Corrupt;
import photon.storage.frames.FrameReader.Frame;
import photon.storage.frames.FrameReader.Item;

class FramesTest {
    private static final FileStore FILES = new HadoopFileStore();

    @TempDir Path directory;
    private boolean torn;
    private long position;

    @Test
    void framesComeBackAsWrittenWithTheirOffsets() throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            payloads.add(bytes(i, i));
        }
        payloads.addAll(List.of(new byte[0], bytes(2, 300_000), bytes(3, 65_536 - 12)));
        List<Item> items = read(write(payloads));
        long at = 0;
        for (int i = 0; i < payloads.size(); i++) {
            Frame frame = (Frame) items.get(i);
            assertThat(frame.payload()).isEqualTo(payloads.get(i));
            assertThat(frame.offset()).isEqualTo(at);
            at += 12 + payloads.get(i).length;
            assertThat(frame.endOffset()).isEqualTo(at);
        }
        assertThat(items).hasSameSizeAs(payloads);
        assertThat(torn).isFalse();
        assertThat(position).isEqualTo(at);
    }

    @Test
    void anyCutGivesTheWholeFramesBeforeItAndATornTail() throws IOException {
        byte[] whole = Files.readAllBytes(write(List.of(bytes(1, 20), bytes(2, 30))));
        for (int length = 0; length <= whole.length; length++) {
            List<Item> items = read(file(Arrays.copyOf(whole, length)));
            int frames = length < 32 ? 0 : length < 74 ? 1 : 2;
            assertThat(items)
                    .as("cut to %s", length)
                    .hasSize(frames)
                    .allMatch(Frame.class::isInstance);
            assertThat(position).isEqualTo(frames == 0 ? 0 : frames == 1 ? 32 : 74);
            assertThat(torn).isEqualTo(length > position);
        }
    }

    @Test
    void anyChangedByteInTheMiddleIsReportedAndTheFramesAroundItAreRead() throws IOException {
        byte[] whole = Files.readAllBytes(write(List.of(bytes(1, 20), bytes(2, 30), bytes(3, 5))));
        for (int at = 32; at < 74; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x40;
            List<Item> items = read(file(changed));
            assertThat(items).as("changed at %s", at).hasSize(3);
            assertThat(items.get(1)).isEqualTo(new Corrupt(32, 74));
            assertThat(((Frame) items.get(2)).payload()).isEqualTo(bytes(3, 5));
            assertThat(torn).isFalse();
        }
    }

    @Test
    void zerosAtTheEndAreATornTail() throws IOException {
        Path file = write(List.of(bytes(1, 20)));
        Files.write(file, new byte[100_000], StandardOpenOption.APPEND);
        assertThat(read(file)).hasSize(1);
        assertThat(torn).isTrue();
        assertThat(position).isEqualTo(32);
    }

    @Test
    void magicInAPayloadIsNoFrame() throws IOException {
        byte[] payload = new byte[40];
        for (int i = 0; i < 40; i += 4) {
            FrameScanner.writeInt(payload, i, FrameScanner.MAGIC);
        }
        byte[] whole = Files.readAllBytes(write(List.of(payload, bytes(2, 5))));
        assertThat(read(file(whole))).hasSize(2);
        whole[6] ^= 1; // the length: the payload is searched for frames
        List<Item> items = read(file(whole));
        assertThat(items).hasSize(2);
        assertThat(items.get(0)).isEqualTo(new Corrupt(0, 52));
    }

    @Test
    void randomBytesNeverFailAndNeverHideAWholeFrame() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            byte[] frame = Files.readAllBytes(write(List.of(bytes(seed, 50))));
            byte[] both = Arrays.copyOf(noise, noise.length + frame.length);
            System.arraycopy(frame, 0, both, noise.length, frame.length);
            List<Item> items = read(file(both));
            Item last = items.get(items.size() - 1);
            assertThat(last).as("seed %s", seed).isInstanceOf(Frame.class);
            assertThat(last.offset()).isEqualTo(noise.length);
        }
    }

    @Test
    void aPayloadOverTheBoundIsRefused() throws IOException {
        try (FrameWriter writer = new FrameWriter(FILES.create(directory + "/big"))) {
            assertThatThrownBy(() -> writer.append(new byte[FrameScanner.PAYLOAD_BYTES_MAX + 1]))
                    .isInstanceOf(BugException.class);
        }
    }

    private int files;

    private Path write(List<byte[]> payloads) throws IOException {
        Path path = directory.resolve("f" + files++);
        try (FrameWriter writer = new FrameWriter(FILES.create(path.toString()))) {
            long expected = 0;
            for (byte[] payload : payloads) {
                assertThat(writer.position()).isEqualTo(expected);
                writer.append(payload);
                expected += 12 + payload.length;
            }
            writer.sync();
        }
        return path;
    }

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("f" + files++), content);
    }

    private List<Item> read(Path path) throws IOException {
        List<Item> items = new ArrayList<>();
        try (ReadFile file = FILES.open(path.toString())) {
            FrameReader reader = new FrameReader(file, 0);
            for (Item item = reader.next(); item != null; item = reader.next()) {
                items.add(item);
            }
            torn = reader.torn();
            position = reader.position();
        }
        return items;
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
