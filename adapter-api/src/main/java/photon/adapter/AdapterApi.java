package photon.adapter;

/**
 * The version of this API, as MAJOR.MINOR.PATCH. A minor version adds, and keeps everything that
 * was there: an adapter that was built for 1.0 runs in every 1.x. The jar's manifest has it as
 * {@code Photon-Adapter-Api}; an adapter's jar may have the same entry, and says with it that it
 * needs that version or a later one of the same major version.
 */
public final class AdapterApi {
    /** The version of the API that this class belongs to. */
    public static final String VERSION = "1.3.0";

    /** The manifest's entry. */
    public static final String MANIFEST_ENTRY = "Photon-Adapter-Api";

    private AdapterApi() {}

    /**
     * Whether an adapter decides about foreign events without a primary event: it overrides {@link
     * Adapter#unmatched}.
     *
     * @since 1.2
     */
    public static boolean takesUnmatched(Adapter adapter) {
        try {
            return adapter.getClass()
                            .getMethod("unmatched", SourceEvent.class, Adapter.Result.class)
                            .getDeclaringClass()
                    != Adapter.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
