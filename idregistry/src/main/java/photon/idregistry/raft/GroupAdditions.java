package photon.idregistry.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/** Makes this server's replicas of groups while it runs. Thread-safe. */
final class GroupAdditions {
    private final Path data;
    private final RatisCalls calls;
    private final GroupsMade groupsMade;

    /** Replicas that Ratis is at making, until they are among the others. */
    private final ConcurrentMap<UUID, CompletableFuture<Replica>> making =
            new ConcurrentHashMap<>();

    /** Takes a replica that is made. */
    interface Making {
        Replica made() throws IOException;
    }

    GroupAdditions(Path data, RatisCalls calls, GroupsMade groupsMade) {
        this.data = data;
        this.calls = calls;
        this.groupsMade = groupsMade;
    }

    /** True if the group has a directory here. */
    boolean exists(RaftGroupId group) {
        return Files.exists(RaftSettings.storage(data).resolve(group.getUuid().toString()));
    }

    /**
     * Makes a replica, in the group's directory if there is one.
     *
     * @param replaces true: the server has a replica of the group, which goes first
     */
    CompletableFuture<Replica> add(
            RaftServer running, RaftGroup group, boolean replaces, Making then) {
        UUID id = group.getGroupId().getUuid();
        CompletableFuture<?> ready =
                replaces
                        ? running(running, removal(group.getGroupId()))
                        : CompletableFuture.completedFuture(null);
        CompletableFuture<Replica> made =
                ready.thenCompose(gone -> added(running, group))
                        .thenApply(
                                added -> {
                                    try {
                                        groupsMade.add(id);
                                        return then.made();
                                    } catch (IOException e) {
                                        throw new CompletionException(e);
                                    }
                                });
        making.put(id, made);
        made.whenComplete((replica, failure) -> making.remove(id, made));
        return made;
    }

    /** What Ratis made before, and could not be noted then, it would not make again. */
    private CompletableFuture<?> added(RaftServer running, RaftGroup group) {
        for (RaftGroupId there : running.getGroupIds()) {
            if (there.equals(group.getGroupId())) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return running(running, addition(group));
    }

    private GroupManagementRequest removal(RaftGroupId group) {
        return GroupManagementRequest.newRemove(
                calls.client(), calls.server(), calls.nextCall(), group, false, false);
    }

    private GroupManagementRequest addition(RaftGroup group) {
        return GroupManagementRequest.newAdd(
                calls.client(),
                calls.server(),
                calls.nextCall(),
                group,
                !exists(group.getGroupId()));
    }

    /** Completed, never failed, once no replica of the group is being made. */
    CompletableFuture<?> underWay(UUID group) {
        CompletableFuture<?> made =
                making.getOrDefault(group, CompletableFuture.completedFuture(null));
        return made.handle((replica, failure) -> null);
    }

    static CompletableFuture<?> running(RaftServer server, GroupManagementRequest request) {
        return server.groupManagementAsync(request)
                .thenApply(
                        reply -> {
                            if (!reply.isSuccess()) {
                                throw new CompletionException(reply.getException());
                            }
                            return reply;
                        });
    }
}
