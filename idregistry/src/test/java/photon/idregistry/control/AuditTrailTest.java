package photon.idregistry.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.Stamp;

/** The order of what is told, of one log and of those before it. */
class AuditTrailTest {
    private static final AuditKind[] LIFE = {
        AuditKind.AUDIT_PIPELINE_CREATED,
        AuditKind.AUDIT_REGISTERED,
        AuditKind.AUDIT_PIPELINE_SET,
        AuditKind.AUDIT_FENCED
    };

    private static void live(AuditTrail trail, String which) {
        for (int i = 0; i < LIFE.length; i++) {
            trail.begin(i + 1, Stamp.getDefaultInstance());
            trail.add(LIFE[i], which + i);
        }
    }

    private static AuditTrail after(AuditTrail lost) {
        AuditTrail next = new AuditTrail();
        next.restore(lost.forgotten(), lost.ofBackup());
        return next;
    }

    @Test
    void whatABackupBringsIsInItsOrderAndBeforeAllThatComes() {
        AuditTrail first = new AuditTrail();
        live(first, "a");
        AuditTrail second = after(first);
        assertThat(second.records()).extracting(AuditRecord::getKind).containsExactly(LIFE);
        live(second, "b");
        AuditTrail third = after(second);
        live(third, "c");
        assertThat(third.records())
                .extracting(AuditRecord::getDetail)
                .containsExactly(
                        "a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3", "c0", "c1", "c2", "c3");
        assertThat(third.records().subList(0, 8))
                .extracting(AuditRecord::getIndex)
                .containsOnly(0L);

        // As every replica that reads a snapshot has it.
        AuditTrail read = new AuditTrail();
        read.restore(third.forgotten(), third.records());
        assertThat(read.records()).isEqualTo(third.records());
    }
}
