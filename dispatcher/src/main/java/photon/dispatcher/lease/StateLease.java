package photon.dispatcher.lease;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.dispatcher.StateDirectory;
import photon.dispatcher.flow.StateFiles;
import photon.storage.files.FileStore;
import photon.storage.lease.Lease;
import photon.storage.lease.LeaseDocument;
import photon.storage.lease.LeaseDocument.Standing;
import photon.storage.lease.TakeOverRule;

/**
 * The lease of a dispatcher's state, as one process waits for it, holds it and gives it back
 * (docs/protocol.md section 7). It gives the number with which the state is claimed. It owns a loop
 * of its own, in which it reads and writes its document, so that slow work on other files does not
 * keep it from renewing.
 */
public final class StateLease {
    /** How long it is held without being renewed. */
    public static final Duration TERM = Duration.ofSeconds(20);

    private static final Logger log = LoggerFactory.getLogger(StateLease.class);

    /** Of the term: how often it is renewed. */
    private static final int RENEWALS = 4;

    private final EventLoop loop;
    private final FileStore files;
    private final StateDirectory state;
    private final LeaseDocument document;
    private final Holder self;
    private final Duration term;
    private final TakeOverRule rule;
    private final BugHandler lost;
    private final CompletableFuture<StateLease> taken = new CompletableFuture<>();
    private @Nullable Lease mine;

    /** Until then nobody can have taken it over, whatever the others' clocks. */
    private long validUntilNanos;

    private boolean told;
    private boolean ended;

    /**
     * Who takes it.
     *
     * @param name the same in all lives of this dispatcher, of which no two go on at one time
     * @param address where it takes repair rows
     */
    public record Holder(String name, String address) {}

    private StateLease(
            EventLoop loop,
            FileStore files,
            StateDirectory state,
            Holder self,
            Duration term,
            RandomGenerator random,
            BugHandler lost) {
        this.loop = loop;
        this.files = files;
        this.state = state;
        this.document = new LeaseDocument(files, state.lease());
        this.self = self;
        this.term = term;
        this.rule = new TakeOverRule(self.name(), random);
        this.lost = lost;
    }

    /**
     * Begins to wait for it.
     *
     * @param loop its own
     * @param lost told, once, when it is not held any more: this process has to stop
     */
    public static StateLease await(
            EventLoop loop,
            FileStore files,
            StateDirectory state,
            Holder self,
            Duration term,
            RandomGenerator random,
            BugHandler lost) {
        StateLease lease = new StateLease(loop, files, state, self, term, random, lost);
        loop.execute(lease::look);
        return lease;
    }

    /** Completes in its loop when it is held. Renewed from then on. */
    public CompletableFuture<StateLease> taken() {
        return taken;
    }

    /** With which the state is claimed. To be asked once it was taken. */
    public long number() {
        return Objects.requireNonNull(mine, "Expected the lease taken").number();
    }

    private void look() {
        if (ended) {
            return;
        }
        try {
            long asked = loop.nanoTime();
            Standing standing = document.read();
            Duration wait = rule.looked(standing, asked, loop.nanoTime());
            if (wait.isZero()) {
                take(standing);
            } else {
                tellThatItWaits(standing);
                loop.schedule(wait, this::look);
            }
        } catch (IOException e) {
            log.warn("The lease of the dispatcher's state in {} cannot be read", state.path(), e);
            loop.schedule(pace(), this::look);
        }
    }

    private void tellThatItWaits(Standing standing) {
        if (!told) {
            told = true;
            log.info(
                    "Another dispatcher, at {}, works with the state in {}. This one waits to take over",
                    standing.lease().map(Lease::address).orElse("no address"),
                    state.path());
        }
    }

    private void take(Standing standing) throws IOException {
        long asked = loop.nanoTime();
        Optional<Lease> got =
                document.take(
                        standing,
                        self.name(),
                        self.address(),
                        term.toMillis(),
                        StateFiles.lastOwner(files, state));
        if (got.isEmpty()) {
            loop.schedule(pace(), this::look); // another one was faster
            return;
        }
        mine = got.get();
        validFrom(asked);
        log.info(
                "This dispatcher works with the state in {}, with number {}",
                state.path(),
                got.get().number());
        loop.schedule(pace(), this::renew);
        taken.complete(this);
    }

    /** Less than the term: the clocks of two machines do not run equally fast. */
    private void validFrom(long askedNanos) {
        validUntilNanos = askedNanos + term.toNanos() * 3 / 4;
    }

    private Duration pace() {
        return term.dividedBy(RENEWALS);
    }

    private void renew() {
        Lease held = mine;
        if (ended || held == null) {
            return;
        }
        long asked = loop.nanoTime();
        if (asked - validUntilNanos > 0) {
            end("it could not renew its lease in time");
            return;
        }
        try {
            Standing standing = document.read();
            if (!standing.isHeldBy(held.number())) {
                end(
                        "another dispatcher has taken over, at "
                                + standing.lease().map(Lease::address).orElse("no address"));
                return;
            }
            if (document.write(standing.version(), held)) {
                validFrom(asked);
            }
        } catch (IOException e) {
            // It may have been written. The next look tells.
            log.warn("The lease of the dispatcher's state in {} is not renewed", state.path(), e);
        }
        loop.schedule(pace(), this::renew);
    }

    private void end(String why) {
        ended = true;
        lost.onBug(
                "the lease of the dispatcher's state in " + state.path(),
                new LeaseLostException("This dispatcher works with the state no more: " + why));
    }

    /**
     * Gives it back, so that another one need not wait; to be called when nothing is written any
     * more. If that fails, others wait for the term.
     */
    public void release(Runnable done) {
        loop.execute(
                () -> {
                    Lease held = mine;
                    if (!ended && held != null) {
                        try {
                            Standing standing = document.read();
                            if (standing.isHeldBy(held.number())) {
                                document.write(standing.version(), held.asReleased());
                            }
                        } catch (IOException e) {
                            log.warn("The lease in {} is not given back", state.path(), e);
                        }
                    }
                    ended = true;
                    done.run();
                });
    }
}
