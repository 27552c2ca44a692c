package photon.storage.tail;

import photon.core.text.LineFeed;
import photon.storage.frames.FrameScanner;

/** Finds where records begin and end. Keeps no bytes. */
sealed interface RecordSplitter {
    /** Longest record, bytes; longer ones are bad. */
    int RECORD_BYTES_MAX = 8 << 20;

    /** What stands at the start of the given bytes. */
    enum Found {
        /** A record, {@link #recordFrom()} to {@link #recordTo()}. */
        RECORD,
        /** Bytes up to {@link #next()} that belong to a bad range, which may go on after them. */
        BAD,
        /** The same, and the range ends there. */
        BAD_TO_HERE,
        /** Not enough bytes to say. */
        MORE
    }

    /**
     * @param complete no byte comes after {@code to}
     * @param inBad the bytes before belong to a bad range that goes on
     */
    Found next(byte[] bytes, int from, int to, boolean complete, boolean inBad);

    /** True: a record that ends in this byte is whole, whatever comes behind it. */
    boolean endsRecord(byte last);

    /** Index of the byte after what was found. */
    int next();

    int recordFrom();

    int recordTo();

    /** Why a bad range is bad. */
    String badReason();

    /** A line a record; its line feed is no part of it. */
    final class Lines implements RecordSplitter {
        private int from;
        private int to;
        private int next;

        @Override
        public Found next(byte[] bytes, int start, int end, boolean complete, boolean inBad) {
            int at = LineFeed.find(bytes, start, end);
            from = start;
            to = at;
            next = Math.min(at + 1, end);
            boolean ended = at < end || complete;
            if (inBad) {
                return ended ? Found.BAD_TO_HERE : Found.BAD;
            }
            if (to - from > RECORD_BYTES_MAX) {
                return ended ? Found.BAD_TO_HERE : Found.BAD;
            }
            return ended ? Found.RECORD : Found.MORE;
        }

        @Override
        public boolean endsRecord(byte last) {
            return last == '\n';
        }

        @Override
        public int next() {
            return next;
        }

        @Override
        public int recordFrom() {
            return from;
        }

        @Override
        public int recordTo() {
            return to;
        }

        @Override
        public String badReason() {
            return "Expected lines of at most %s bytes, but one is longer"
                    .formatted(RECORD_BYTES_MAX);
        }
    }

    /** A frame a record. */
    final class Frames implements RecordSplitter {
        private final FrameScanner scanner = new FrameScanner();
        private int from;
        private int to;
        private int next;

        @Override
        public Found next(byte[] bytes, int start, int end, boolean complete, boolean inBad) {
            switch (scanner.scan(bytes, start, end)) {
                case FRAME -> {
                    from = start + FrameScanner.HEADER_BYTES;
                    to = scanner.end();
                    next = to;
                    return to - from > RECORD_BYTES_MAX ? Found.BAD : Found.RECORD;
                }
                case CORRUPT -> {
                    next = scanner.end();
                    return Found.BAD;
                }
                default -> {
                    // Torn at the end of a finished file; a whole frame may follow all the same.
                    next = start + 1;
                    return complete ? Found.BAD : Found.MORE;
                }
            }
        }

        @Override
        public boolean endsRecord(byte last) {
            return true; // its checksum says so
        }

        @Override
        public int next() {
            return next;
        }

        @Override
        public int recordFrom() {
            return from;
        }

        @Override
        public int recordTo() {
            return to;
        }

        @Override
        public String badReason() {
            return "Expected a whole frame of at most %s bytes with a right checksum, but got other bytes"
                    .formatted(RECORD_BYTES_MAX);
        }
    }
}
