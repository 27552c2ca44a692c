package photon.storage.format;

import java.util.List;

/** Why a record is bad, for programs that know what would be right instead. */
public sealed interface BadCause {
    /** Nothing that another setting would put right, as far as is known. */
    BadCause OTHER = new Other();

    /** See {@link #OTHER}. */
    record Other() implements BadCause {}

    /** The record has no value of a field that its event needs. */
    record NoValue(String field) implements BadCause {}

    /**
     * The file's header does not have a column that its events need.
     *
     * @param header all that it has
     */
    record NoColumn(String column, List<String> header) implements BadCause {
        public NoColumn {
            header = List.copyOf(header);
        }
    }

    /** The record is no JSON object. */
    record NoJson() implements BadCause {}
}
