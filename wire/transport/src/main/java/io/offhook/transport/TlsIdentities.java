package io.offhook.transport;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Chooses the own certificate of a handshake: by the name that the client asks for (RFC 6066, 3) and the kind of key. */
final class TlsIdentities extends X509ExtendedKeyManager {
    private static final int DNS_NAME = 2;

    private final List<TlsIdentity> identities;

    TlsIdentities(List<TlsIdentity> identities) {
        this.identities = List.copyOf(identities);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        String asked = engine.getHandshakeSession() instanceof ExtendedSSLSession session
                ? hostName(session.getRequestedServerNames())
                : null;
        boolean isNamed = false;
        for (int i = 0; asked != null && i < identities.size(); i++) {
            if (names(identities.get(i), asked)) {
                isNamed = true;
                if (isOfType(i, keyType)) {
                    return Integer.toString(i);
                }
            }
        }
        // where one has the name, the JDK goes on to ask for its kind of key
        return isNamed ? null : firstOfType(keyType);
    }

    private static @Nullable String hostName(List<SNIServerName> names) {
        for (SNIServerName name : names) {
            if (name.getType() == StandardConstants.SNI_HOST_NAME) {
                return name instanceof SNIHostName host
                        ? host.getAsciiName()
                        : new SNIHostName(name.getEncoded()).getAsciiName();
            }
        }
        return null;
    }

    private static boolean names(TlsIdentity identity, String asked) {
        try {
            Collection<List<?>> names = identity.chain().getFirst().getSubjectAlternativeNames();
            if (names == null) {
                return false;
            }
            for (List<?> name : names) {
                if (name.get(0).equals(DNS_NAME) && matches(name.get(1).toString(), asked)) {
                    return true;
                }
            }
        } catch (CertificateParsingException e) {
            // a certificate without readable names has none
        }
        return false;
    }

    /** A star stands for the first label (RFC 6125, 6.4.3). */
    private static boolean matches(String pattern, String asked) {
        String wanted = asked.toLowerCase(Locale.ROOT);
        String name = pattern.toLowerCase(Locale.ROOT);
        int dot = wanted.indexOf('.');
        return name.equals(wanted)
                || name.startsWith("*.") && dot > 0 && wanted.substring(dot).equals(name.substring(1));
    }

    private @Nullable String firstOfType(String keyType) {
        for (int i = 0; i < identities.size(); i++) {
            if (isOfType(i, keyType)) {
                return Integer.toString(i);
            }
        }
        return null;
    }

    /** The JDK asks for "RSA", "EC", "EdDSA", "RSASSA-PSS", and in TLS 1.2 for "EC_RSA" and others that name the signer too. */
    private boolean isOfType(int i, String keyType) {
        String algorithm = identities.get(i).key().getAlgorithm();
        return keyType.equals(algorithm)
                || keyType.startsWith("EC_") && algorithm.equals("EC")
                || keyType.equals("EdDSA") && algorithm.startsWith("Ed");
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        for (String keyType : keyTypes) {
            String alias = firstOfType(keyType);
            if (alias != null) {
                return alias;
            }
        }
        return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return identities.get(Integer.parseInt(alias)).chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identities.get(Integer.parseInt(alias)).key();
    }

    // sockets are not used here, engines are

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
