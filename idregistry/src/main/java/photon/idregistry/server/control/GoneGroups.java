package photon.idregistry.server.control;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ShardGroup;
import photon.proto.v1.ShardRef;

/**
 * Takes replicas of groups away that are decided to be gone for ever: first nobody is served from
 * one any more, then what reads it ends, then it is removed with its files. Runs in the server's
 * loop.
 */
final class GoneGroups {
    /** Of the looks, ten a second, that fail. */
    private static final int TOLD_EACH = 100;

    private static final Logger LOG = LoggerFactory.getLogger(GoneGroups.class);

    private final EventLoop loop;
    private final ServedGroups groups;
    private final GroupMaker maker;
    private final Map<ShardRef, Going> gone = new LinkedHashMap<>();

    /** How far one is. */
    private static final class Going {
        int failures;
        @Nullable ShardGroup served;
        boolean busy;
        boolean done;
    }

    GoneGroups(EventLoop loop, ServedGroups groups, GroupMaker maker) {
        this.loop = loop;
        this.groups = groups;
        this.maker = maker;
    }

    /**
     * Goes on with taking one away; to be asked at each look. Nobody must be making it.
     *
     * @return true when nothing is left of it on this server
     */
    boolean remove(ShardRef ref) {
        loop.checkInLoop();
        Going going = gone.computeIfAbsent(ref, r -> new Going());
        ShardGroup served = groups.remove(ref);
        if (served != null) {
            going.served = served;
        }
        boolean beingRead = going.served != null && !going.served.reads().ended();
        if (!going.done && !going.busy && !beingRead) {
            removeFiles(ref, going);
        }
        return going.done;
    }

    private void removeFiles(ShardRef ref, Going going) {
        going.busy = true;
        maker.remove(ref)
                .whenComplete(
                        (removed, failure) ->
                                loop.execute(
                                        () -> {
                                            going.busy = false;
                                            going.done = failure == null;
                                            going.served = null;
                                            if (failure != null
                                                    && going.failures++ % TOLD_EACH == 0) {
                                                LOG.warn(
                                                        "Shard {} cannot be removed now, it is tried again: {}",
                                                        ServedGroups.name(ref),
                                                        failure.toString());
                                            }
                                        }));
    }
}
