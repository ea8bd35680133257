package io.offhook.proxy.dns;

import io.offhook.sip.SipUri;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * ENUM: finds the URIs of a telephone number (RFC 6116). Its digits in reverse order are a name, whose NAPTR records of
 * service {@code E2U+sip} rewrite the number. Thread-safe.
 */
public final class EnumResolver {
    /** E.164 has 15; a little more, for numbers of private trees. */
    private static final int MAX_DIGITS = 24;

    private final DnsClient client;
    private final DnsCounts counts;

    EnumResolver(DnsClient client, DnsCounts counts) {
        this.client = client;
        this.counts = counts;
    }

    /** Whether numbers are looked up at all. */
    public boolean isEnabled() {
        return client.config().enumeration().isEnabled();
    }

    /**
     * The URIs of a number, the best first; empty if ENUM is off, the text is not an international number ("+" and
     * digits; visual separators are left out), or it has none. The stage never completes exceptionally.
     */
    public CompletionStage<List<SipUri>> resolve(String number) {
        DnsConfig.Enumeration config = client.config().enumeration();
        String digits = digits(number);
        DnsQuestion question = digits.isEmpty() ? null : DnsQuestion.of(name(digits, config.suffix()), DnsType.NAPTR);
        if (!config.isEnabled() || question == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        return client.lookup(question).thenApply(answer -> uris(answer, "+" + digits));
    }

    /** The digits of an international number; "" if it is none. */
    private static String digits(String number) {
        if (!number.startsWith("+")) {
            return "";
        }
        StringBuilder digits = new StringBuilder();
        for (int i = 1; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c >= '0' && c <= '9') {
                digits.append(c);
            } else if ("-.()".indexOf(c) < 0) { // RFC 3966, 3
                return "";
            }
        }
        return digits.length() > MAX_DIGITS ? "" : digits.toString();
    }

    private static String name(String digits, String suffix) {
        StringBuilder name = new StringBuilder();
        for (int i = digits.length() - 1; i >= 0; i--) {
            name.append(digits.charAt(i)).append('.');
        }
        return name.append(suffix).toString();
    }

    private List<SipUri> uris(DnsAnswer answer, String number) {
        List<SipUri> uris = new ArrayList<>();
        for (DnsRecord record : answer.records()) { // in the order of order and preference
            if (record instanceof DnsRecord.Pointer pointer) {
                String text = isForSip(pointer) ? NaptrSubstitution.apply(pointer.regexp(), number) : "";
                SipUri uri = SipUri.parse(text);
                if (uri.scheme().equals("sip") || uri.scheme().equals("sips")) {
                    uris.add(uri);
                } else {
                    counts.count(DnsCounter.ENUM_RULES_IGNORED);
                }
            }
        }
        return List.copyOf(uris);
    }

    /** A terminal rule for {@code E2U+sip} (RFC 3764), also beside other services, and as RFC 2916 wrote it. */
    private static boolean isForSip(DnsRecord.Pointer pointer) {
        if (!pointer.flags().equalsIgnoreCase("u")) {
            return false;
        }
        String service = pointer.service().toLowerCase(Locale.ROOT);
        if (service.equals("sip+e2u")) {
            return true;
        }
        String[] parts = service.split("\\+", 16);
        for (int i = 1; i < parts.length && parts[0].equals("e2u"); i++) {
            if (parts[i].equals("sip") || parts[i].startsWith("sip:")) {
                return true;
            }
        }
        return false;
    }
}
