package photon.idregistry.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.BoundaryHolds;
import photon.proto.v1.DispatcherStates;
import photon.proto.v1.DroppedEpochs;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.MemberDisks;
import photon.proto.v1.PassedTime;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.RaisedGenerations;
import photon.proto.v1.ReshardState;
import photon.proto.v1.RestoreStatus;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** The form of {@link ControlState} in a snapshot. */
final class ControlSnapshot {
    /** A state of any other version is refused. */
    static final int VERSION = 1;

    /** More than any name, address or map has: requests are refused above 64 KiB. */
    private static final int BYTES_MAX = 1 << 20;

    /** Of what grows with incarnations, pipelines and servers: millions of rows. */
    private static final int LIST_BYTES_MAX = 64 << 20;

    private static final int PIECE_BYTES = 64 << 10;

    private ControlSnapshot() {}

    record Header(long lastIndex, int slotsIssued, long passedMicros, RestoreStatus restore) {
        Header(long lastIndex, int slotsIssued, long passedMicros) {
            this(lastIndex, slotsIssued, passedMicros, RestoreStatus.getDefaultInstance());
        }
    }

    static void write(
            DataOutput out,
            Header header,
            Pipelines pipelines,
            AuditTrail audit,
            MemberRules members,
            RestoreStatus restore)
            throws IOException {
        out.writeByte(VERSION);
        out.writeLong(header.lastIndex());
        out.writeInt(header.slotsIssued());
        out.writeInt(pipelines.all().size());
        for (PipelineState pipeline : pipelines.all()) {
            out.writeLong(pipeline.uuid.getMostSignificantBits());
            out.writeLong(pipeline.uuid.getLeastSignificantBits());
            writeText(out, pipeline.name);
            writeText(out, pipeline.identityFingerprint);
            out.writeLong(pipeline.fenceVersion);
            byte[] map = pipeline.map.toBytes();
            out.writeInt(map.length);
            out.write(map);
            out.writeInt(pipeline.slots().size());
            for (Slot slot : pipeline.slots()) {
                write(out, slot);
            }
            write(out, pipeline.reshards);
            write(out, pipeline.settings);
            write(out, EpochRules.toProto(pipeline.dropped));
            write(out, RaisedSlots.toProto(pipeline));
            write(out, HoldRules.toProto(pipeline));
            write(out, RegisteredStates.toProto(pipeline));
        }
        writeAll(out, pipelines.dropped.values());
        out.writeLong(audit.forgotten());
        writeAll(out, audit.records());
        write(out, PassedTime.newBuilder().setPassedMicros(header.passedMicros()).build());
        write(out, members.toProto());
        write(out, restore.toBuilder().clearContent().build());
        writePieces(out, restore.getContent());
    }

    /** However long it is, a damaged length costs no more memory than a piece. */
    private static void writePieces(DataOutput out, ByteString content) throws IOException {
        out.writeInt((content.size() + BYTES_MAX - 1) / BYTES_MAX);
        for (int from = 0; from < content.size(); from += BYTES_MAX) {
            byte[] piece =
                    content.substring(from, Math.min(content.size(), from + BYTES_MAX))
                            .toByteArray();
            out.writeInt(piece.length);
            out.write(piece);
        }
    }

    private static ByteString readPieces(DataInput in) throws IOException {
        ByteString content = ByteString.EMPTY;
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            content = content.concat(ByteString.copyFrom(StateFile.readBytes(in, BYTES_MAX)));
        }
        return content;
    }

    /**
     * A list that may be long. As with pieces, a damaged length costs no more than what is there.
     */
    private static byte[] readList(DataInput in) throws IOException {
        int left = in.readInt();
        if (left < 0 || left > LIST_BYTES_MAX) {
            throw new IOException("Expected at most " + LIST_BYTES_MAX + " bytes, but got " + left);
        }
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        while (left > 0) {
            byte[] piece = new byte[Math.min(left, PIECE_BYTES)];
            in.readFully(piece);
            list.writeBytes(piece);
            left -= piece.length;
        }
        return list.toByteArray();
    }

    private static void writeAll(DataOutput out, Collection<? extends MessageLite> messages)
            throws IOException {
        out.writeInt(messages.size());
        for (MessageLite message : messages) {
            write(out, message);
        }
    }

    private static void write(DataOutput out, MessageLite message) throws IOException {
        byte[] bytes = message.toByteArray();
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void write(DataOutput out, ReshardAttempts reshards) throws IOException {
        out.writeLong(reshards.lastNumber());
        out.writeInt(reshards.attempts().size());
        for (ReshardAttempts.Attempt attempt : reshards.attempts()) {
            out.writeLong(attempt.number());
            writeText(out, attempt.nonce());
            out.writeLong(attempt.baseVersion());
            out.writeInt(attempt.shards());
            out.writeLong(attempt.startMicros());
            out.writeInt(attempt.state().getNumber());
        }
    }

    private static void write(DataOutput out, Slot slot) throws IOException {
        out.writeInt(slot.number());
        writeText(out, slot.name());
        writeText(out, slot.outputId());
        out.writeInt(slot.lowestLive());
        out.writeInt(slot.generations().size());
        for (Slot.Generation generation : slot.generations()) {
            writeText(out, generation.nonce);
            writeText(out, generation.address);
            out.writeLong(generation.processId);
            out.writeLong(generation.startedMicros);
            out.writeInt(generation.state.getNumber());
        }
    }

    /** Unlike writeUTF without a bound on the length. */
    private static void writeText(DataOutput out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static <E> E known(@Nullable E value) throws IOException {
        if (value == null) {
            throw new IOException("Expected a state that is known here");
        }
        return value;
    }

    private static String readText(DataInput in) throws IOException {
        return new String(StateFile.readBytes(in, BYTES_MAX), StandardCharsets.UTF_8);
    }

    /** Replaces all pipelines, those that were dropped, the trail and the members. */
    static Header read(DataInput in, Pipelines pipelines, AuditTrail audit, MemberRules members)
            throws IOException {
        StateFile.checkVersion("a snapshot of the control group", VERSION, in.readUnsignedByte());
        long lastIndex = in.readLong();
        int slotsIssued = in.readInt();
        pipelines.clear();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            PipelineState pipeline = readPipeline(in);
            readReshards(in, pipeline.reshards);
            pipeline.settings = PipelineSettings.parseFrom(StateFile.readBytes(in, BYTES_MAX));
            pipeline.dropped.addAll(
                    EpochRules.of(DroppedEpochs.parseFrom(StateFile.readBytes(in, BYTES_MAX))));
            RaisedSlots.restore(pipeline, RaisedGenerations.parseFrom(readList(in)));
            readHolds(in, pipeline);
            readStates(in, pipeline);
            pipelines.add(pipeline);
        }
        for (DroppedPipeline one : readAll(in, DroppedPipeline.parser())) {
            pipelines.dropped.put(known(RegistryProtos.uuid(one.getUuid())), one);
        }
        audit.restore(in.readLong(), readAll(in, AuditRecord.parser()));
        long passedMicros =
                PassedTime.parseFrom(StateFile.readBytes(in, BYTES_MAX)).getPassedMicros();
        members.restore(MemberDisks.parseFrom(readList(in)));
        RestoreStatus restore =
                RestoreStatus.parseFrom(readList(in)).toBuilder()
                        .setContent(readPieces(in))
                        .build();
        return new Header(lastIndex, slotsIssued, passedMicros, restore);
    }

    private static <M> List<M> readAll(DataInput in, Parser<M> parser) throws IOException {
        int count = in.readInt();
        List<M> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(parser.parseFrom(StateFile.readBytes(in, BYTES_MAX)));
        }
        return all;
    }

    private static PipelineState readPipeline(DataInput in) throws IOException {
        UUID uuid = new UUID(in.readLong(), in.readLong());
        String name = readText(in);
        String fingerprint = readText(in);
        long fenceVersion = in.readLong();
        byte[] map = StateFile.readBytes(in, BYTES_MAX);
        PipelineState pipeline =
                new PipelineState(
                        uuid,
                        name,
                        fingerprint,
                        ShardMap.read(ByteBuffer.wrap(map)),
                        PipelineSettings.getDefaultInstance());
        pipeline.fenceVersion = fenceVersion;
        int slots = in.readInt();
        for (int i = 0; i < slots; i++) {
            pipeline.add(readSlot(in));
        }
        return pipeline;
    }

    private static void readReshards(DataInput in, ReshardAttempts reshards) throws IOException {
        long lastNumber = in.readLong();
        int count = in.readInt();
        List<ReshardAttempts.Attempt> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(
                    new ReshardAttempts.Attempt(
                            in.readLong(),
                            readText(in),
                            in.readLong(),
                            in.readInt(),
                            in.readLong(),
                            known(ReshardState.forNumber(in.readInt()))));
        }
        reshards.restore(lastNumber, attempts);
    }

    private static void readHolds(DataInput in, PipelineState pipeline) throws IOException {
        if (!HoldRules.restore(pipeline, BoundaryHolds.parseFrom(readList(in)))) {
            throw new IOException("Expected holds of incarnations that were issued");
        }
    }

    private static void readStates(DataInput in, PipelineState pipeline) throws IOException {
        if (!RegisteredStates.restore(pipeline, DispatcherStates.parseFrom(readList(in)))) {
            throw new IOException("Expected states, and rows of incarnations that were issued");
        }
    }

    private static Slot readSlot(DataInput in) throws IOException {
        Slot slot = new Slot(in.readInt(), readText(in), readText(in));
        slot.raise(in.readInt());
        int generations = in.readInt();
        for (int i = 0; i < generations; i++) {
            slot.restore(
                    new Slot.Generation(
                            readText(in),
                            readText(in),
                            in.readLong(),
                            in.readLong(),
                            known(IncarnationState.forNumber(in.readInt()))));
        }
        return slot;
    }
}
