package photon.core.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Hands out one certificate with its key. An alias names the version of the files, so that a
 * handshake that has begun with one certificate is not given the key of the next. Thread-safe.
 */
final class OwnKey extends X509ExtendedKeyManager {
    private final TlsFiles files;

    OwnKey(TlsFiles files) {
        this.files = files;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return Arrays.stream(types).anyMatch(this::isOwn) ? alias() : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return isOwn(type) ? alias() : null;
    }

    private boolean isOwn(String type) {
        return type.equals(files.current().credentials().key().getAlgorithm());
    }

    private String alias() {
        return Integer.toString(files.current().number());
    }

    private @Nullable Credentials of(String alias) {
        TlsFiles.Version version = files.current();
        return alias.equals(Integer.toString(version.number()))
                ? version.credentials()
                : version.before();
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Credentials known = of(alias);
        return known == null ? null : known.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Credentials known = of(alias);
        return known == null ? null : known.key();
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(types, issuers, null);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineServerAlias(type, issuers, null);
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
        return isOwn(type) ? new String[] {alias()} : new String[0];
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
        return getClientAliases(type, issuers);
    }
}
