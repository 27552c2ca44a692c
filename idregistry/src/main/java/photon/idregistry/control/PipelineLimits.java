package photon.idregistry.control;

import java.util.regex.Pattern;
import photon.proto.v1.PipelineSettings;

/** What a pipeline's name and settings may be, here and on the command line. */
public final class PipelineLimits {
    /** As a configuration's; groups, metrics and directories are named by it. */
    public static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    /** What to expect of a name, for messages. */
    public static final String NAME_EXPECTED =
            "1 to 63 small letters, digits and '-', not '-' first";

    /** Fewer are less than a client sends at once. */
    public static final int WAITING_IDS_MIN = 4_096;

    /** More than a server's memory holds. */
    public static final int WAITING_IDS_MAX = 1 << 22;

    public static final int SHARE_WEIGHT_MAX = 10_000;

    /** Where the settings say 0. */
    public static final int SHARE_WEIGHT_DEFAULT = 100;

    private PipelineLimits() {}

    /** 0: the servers' own bound. */
    public static boolean mayWait(int ids) {
        return ids == 0 || (ids >= WAITING_IDS_MIN && ids <= WAITING_IDS_MAX);
    }

    /** 0: the default. */
    public static boolean mayWeigh(int weight) {
        return weight >= 0 && weight <= SHARE_WEIGHT_MAX;
    }

    /** What counts. */
    public static int weight(PipelineSettings settings) {
        return settings.getShareWeight() == 0 ? SHARE_WEIGHT_DEFAULT : settings.getShareWeight();
    }
}
