package photon.registry.client;

import static photon.core.error.Checks.check;

import java.nio.ByteBuffer;
import java.util.Objects;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitListener;
import photon.registry.api.RegistryClient.CommitResult;

/** A commit whose listener waits, however long it takes. */
final class PendingCommit implements CommitWork {
    private final Commit commit;
    private final CommitListener listener;

    /** True: a copy was sent and not answered, so it may be accepted, or may yet be. */
    private boolean copySent;

    PendingCommit(Commit commit, CommitListener listener) {
        this.commit = commit;
        this.listener = listener;
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public EventId id(int i) {
        return commit.id();
    }

    @Override
    public void pack(ByteBuffer ids, ByteBuffer tokens) {
        commit.id().write(ids);
        commit.token().write(tokens);
    }

    @Override
    public boolean isEnded() {
        return false;
    }

    @Override
    public void sent() {}

    @Override
    public void refused() {}

    @Override
    public void unsure() {
        copySent = true;
    }

    @Override
    public void answer(int i, byte outcome, ByteBuffer holders, int at) {
        CommitResult result = Outcomes.result(outcome);
        CommitToken holder = result == CommitResult.TAKEN ? Outcomes.token(holders, at) : null;
        listener.answered(commit, Objects.requireNonNull(result), holder, copySent);
    }

    @Override
    public void left(int ids) {}

    @Override
    public CommitWork range(int from, int to) {
        check(from == 0 && to == 1, "Expected one commit, but %s to %s are wanted", from, to);
        return this;
    }

    @Override
    public CommitWork at(int[] places) {
        check(places.length == 1, "Expected one commit, but %s are wanted", places.length);
        return this;
    }
}
