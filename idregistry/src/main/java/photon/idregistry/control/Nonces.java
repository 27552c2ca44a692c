package photon.idregistry.control;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/** What tells a request that is asked again from another one, as it is remembered. */
final class Nonces {
    private Nonces() {}

    static String hex(ByteString nonce) {
        return HexFormat.of().formatHex(nonce.toByteArray());
    }
}
