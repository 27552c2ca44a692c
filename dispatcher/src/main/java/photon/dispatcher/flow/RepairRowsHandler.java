package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.rpc.Handler;
import photon.core.rpc.MalformedRequestException;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.RegistryProtos;

/**
 * Takes repair rows from the verifier and answers when they are durable: only then may it go on.
 * Callers have one request outstanding each, which bounds what waits here.
 */
public final class RepairRowsHandler
        implements Handler<AddRepairRowsRequest, AddRepairRowsResponse> {
    private final PartitionFlows flows;
    private final AddRepairRowsResponse durable;

    /**
     * @param state in which the rows become durable
     */
    public RepairRowsHandler(PartitionFlows flows, UUID state) {
        this.flows = flows;
        this.durable =
                AddRepairRowsResponse.newBuilder().setState(RegistryProtos.bytes(state)).build();
    }

    /**
     * @throws MalformedRequestException if an event or a token cannot be one: no row is taken then
     */
    @Override
    public void handle(AddRepairRowsRequest request, Consumer<AddRepairRowsResponse> respond) {
        List<RepairRow> rows = new ArrayList<>(request.getRowsCount());
        for (photon.proto.v1.RepairRow row : request.getRowsList()) {
            rows.add(row(row, "rows[" + rows.size() + "]"));
        }
        flows.addRepairRows(rows, () -> respond.accept(durable));
    }

    private static RepairRow row(photon.proto.v1.RepairRow row, String where) {
        ByteString id = row.getEvent().getId();
        if (id.size() != EventId.BYTES || id.byteAt(0) < 0) {
            throw new MalformedRequestException(
                    where + ".event.id",
                    "expected %s bytes with a timestamp from 1970 on, but got %s"
                            .formatted(EventId.BYTES, text(id)));
        }
        ByteString token = row.getLostToken();
        if (token.size() != CommitToken.BYTES || !isToken(token.asReadOnlyByteBuffer())) {
            throw new MalformedRequestException(
                    where + ".lost_token",
                    "expected %s bytes with a slot and a generation above 0, but got %s"
                            .formatted(CommitToken.BYTES, text(token)));
        }
        return new RepairRow(
                LogEvent.fromProto(row.getEvent()), CommitToken.read(token.asReadOnlyByteBuffer()));
    }

    private static boolean isToken(ByteBuffer bytes) {
        int slot = bytes.getInt();
        int generation = bytes.getInt();
        return slot > 0 && generation > 0;
    }

    private static String text(ByteString bytes) {
        return bytes.isEmpty()
                ? "none"
                : bytes.size() + " bytes, first " + (bytes.byteAt(0) & 0xFF);
    }
}
