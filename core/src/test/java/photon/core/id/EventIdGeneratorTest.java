package photon.core.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.time.IntervalClock;
import photon.core.time.IntervalClock.Interval;

class EventIdGeneratorTest {
    private static final InetAddress SERVER = InetAddresses.forString("10.1.2.3");

    private long now = 1_000_000;
    private final IntervalClock clock = () -> new Interval(now - 250, now + 250);

    private EventIdGenerator generator(long notBefore) {
        return new EventIdGenerator(SERVER, 4711, clock, notBefore, Duration.ofMillis(1));
    }

    @Test
    void anIdIsServerProcessAndTheMiddleOfTheClock() throws Exception {
        EventId id = generator(0).next();
        assertThat(id).hasToString("1000000/10.1.2.3/4711");
        EventIdGenerator six =
                new EventIdGenerator(InetAddresses.forString("2001:db8::7"), -3, clock, 0);
        assertThat(six.next()).hasToString("1000000/2001:db8:0:0:0:0:0:7/4294967293");
    }

    @Test
    void severalInOneMicrosecondCountOnAndTakeUpTheClockAgain() throws Exception {
        EventIdGenerator ids = generator(0);
        assertThat(ids.nextMicros()).isEqualTo(1_000_000);
        assertThat(ids.nextMicros()).isEqualTo(1_000_001);
        now = 1_000_002;
        assertThat(ids.nextMicros()).isEqualTo(1_000_002);
        now = 2_000_000;
        assertThat(ids.nextMicros()).isEqualTo(2_000_000);
    }

    @Test
    void aClockThatGoesBackIsNotFollowedAndTheBoundIsExact() throws Exception {
        EventIdGenerator ids = generator(0);
        ids.nextMicros();
        now -= 998; // The last is now 998 ahead, and 1,000 are allowed.
        assertThat(ids.nextMicros()).isEqualTo(1_000_001);
        assertThat(ids.nextMicros()).isEqualTo(1_000_002);
        assertThatThrownBy(ids::next)
                .isInstanceOfSatisfying(
                        IdsAheadOfClockException.class,
                        e -> assertThat(e.waitAtLeast()).isEqualTo(Duration.ofNanos(1_000)));
        assertThat(ids.lastMicros()).as("no id was used up").isEqualTo(1_000_002);
        now += 1;
        assertThat(ids.nextMicros()).isEqualTo(1_000_003);
    }

    @Test
    void theNextLifeBeginsWhereItIsTold() throws Exception {
        EventIdGenerator ids = generator(1_000_500);
        assertThat(ids.lastMicros()).isLessThan(1_000_500);
        assertThat(ids.nextMicros()).isEqualTo(1_000_500);
        assertThatThrownBy(() -> generator(1_001_001).next())
                .as("the mark is further ahead than ids may be")
                .isInstanceOf(IdsAheadOfClockException.class);
        assertThat(generator(3).nextMicros()).isEqualTo(now);
    }

    @Test
    void refusesWhatCannotBeUsed() {
        for (int reserved : new int[] {0xFFFFFFFF, 0xFFFFFFFE}) {
            assertThatThrownBy(() -> new EventIdGenerator(SERVER, reserved, clock, 0))
                    .isInstanceOf(BugException.class)
                    .hasMessageContaining("4294967294 and 4294967295");
        }
        assertThatThrownBy(() -> generator(-1)).isInstanceOf(BugException.class);
        assertThatThrownBy(() -> new EventIdGenerator(SERVER, 1, clock, 0, Duration.ofNanos(-1)))
                .isInstanceOf(BugException.class);
    }

    /** Lives under a clock that creeps, stands, leaps and goes back, against the rule in words. */
    @Test
    void whateverTheClockDoesIdsIncreaseOverAllLivesAndStayNearIt() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long highest = -1;
            now = 5_000_000;
            for (int life = 0; life < 4; life++) {
                EventIdGenerator ids = generator(highest + 1);
                for (int step = 0; step < 200; step++) {
                    now += clockStep(random);
                    long expected = Math.max(highest + 1, now);
                    boolean tooFar = expected > now + 1_000;
                    try {
                        long given = ids.nextMicros();
                        assertThat(tooFar).as("seed %s", seed).isFalse();
                        assertThat(given).as("seed %s", seed).isEqualTo(expected);
                        highest = given;
                    } catch (IdsAheadOfClockException e) {
                        assertThat(tooFar).as("seed %s", seed).isTrue();
                        assertThat(e.waitAtLeast().toNanos() / 1_000)
                                .isEqualTo(expected - now - 1_000);
                    }
                }
            }
        }
    }

    private static long clockStep(SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(3_000);
            case 1 -> -random.nextInt(1_500);
            case 2, 3 -> random.nextInt(4);
            default -> 0;
        };
    }

    @Test
    void threadsNeverGetTheSameAndEachSeesItsOwnIncrease() throws Exception {
        int threads = 4;
        int each = 20_000;
        EventIdGenerator ids =
                new EventIdGenerator(SERVER, 1, clock, 0, Duration.ofSeconds(1)); // it stands still
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Callable<long[]> task =
                    () -> {
                        long[] given = new long[each];
                        start.await();
                        for (int i = 0; i < each; i++) {
                            given[i] = ids.nextMicros();
                        }
                        return given;
                    };
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(task));
            }
            long[] all = new long[0];
            for (Future<long[]> one : running) {
                long[] given = one.get();
                assertThat(given).isSorted();
                int before = all.length;
                all = Arrays.copyOf(all, before + each);
                System.arraycopy(given, 0, all, before, each);
            }
            Arrays.sort(all);
            for (int i = 0; i < all.length; i++) {
                assertThat(all[i]).isEqualTo(now + i); // none twice, none left out
            }
        } finally {
            pool.shutdown();
        }
    }
}
