package photon.storage.files;

import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * How much can be read of a file of HDFS that is being written, as a DataNode knows it. Keeps its
 * way to the DataNode, since Hadoop takes milliseconds to make one. Not thread-safe.
 */
final class VisibleLength implements AutoCloseable {
    private final DistributedFileSystem hdfs;
    private @Nullable ExtendedBlock block;
    private @Nullable ClientDatanodeProtocol node;

    VisibleLength(DistributedFileSystem hdfs) {
        this.hdfs = hdfs;
    }

    /**
     * Empty: no DataNode says it, as when the block has a new place or is written anew.
     *
     * @param last of the file's blocks
     */
    OptionalLong upTo(LocatedBlock last) {
        if (node != null && last.getBlock().equals(block)) {
            OptionalLong length = ask(node, last);
            if (length.isPresent()) {
                return length;
            }
        }
        close();
        for (DatanodeInfo one : last.getLocations()) {
            ClientDatanodeProtocol made;
            try {
                made = reach(one, last);
            } catch (IOException e) {
                continue;
            }
            OptionalLong length = ask(made, last);
            if (length.isPresent()) {
                node = made;
                block = last.getBlock();
                return length;
            }
            RPC.stopProxy(made);
        }
        return OptionalLong.empty();
    }

    private ClientDatanodeProtocol reach(DatanodeInfo one, LocatedBlock last) throws IOException {
        DfsClientConf settings = hdfs.getClient().getConf();
        int timeout = settings.getSocketTimeout();
        boolean byName = settings.isConnectToDnViaHostname();
        // With a block's token the way is the block's own; without, all share a connection.
        return UserGroupInformation.isSecurityEnabled()
                ? DFSUtilClient.createClientDatanodeProtocolProxy(
                        one, hdfs.getConf(), timeout, byName, last)
                : DFSUtilClient.createClientDatanodeProtocolProxy(
                        one, hdfs.getConf(), timeout, byName);
    }

    private static OptionalLong ask(ClientDatanodeProtocol node, LocatedBlock last) {
        try {
            long bytes = node.getReplicaVisibleLength(last.getBlock());
            return OptionalLong.of(last.getStartOffset() + bytes);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void close() {
        if (node != null) {
            RPC.stopProxy(node);
            node = null;
        }
    }
}
