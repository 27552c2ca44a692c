package photon.idregistry.raft;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.leader.LogAppender;

/**
 * A transfer of leadership whose request to the follower fails at once, by the code of Ratis that a
 * leader gives way by. From outside it takes a follower whose connection breaks in that moment.
 */
final class FailedTransfer {
    private FailedTransfer() {}

    /** On return Ratis knows that it has failed. */
    static void start(Replica replica) throws ReflectiveOperationException {
        Object server = replica.division();
        Field field = server.getClass().getDeclaredField("transferLeadership");
        field.setAccessible(true);
        Object transfer = field.get(server);
        Method start = transfer.getClass().getDeclaredMethod("start", LogAppender.class);
        start.setAccessible(true);
        start.invoke(transfer, toNobody());
    }

    /** It knows no follower, so that nothing can be asked of one. */
    private static LogAppender toNobody() {
        return (LogAppender)
                Proxy.newProxyInstance(
                        LogAppender.class.getClassLoader(),
                        new Class<?>[] {LogAppender.class},
                        (proxy, method, arguments) ->
                                method.getReturnType() == RaftPeerId.class
                                        ? RaftPeerId.valueOf("n9")
                                        : null);
    }
}
