package io.offhook.cli.reproduce;

import io.offhook.cli.messages.KeptMessage;
import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMultipart;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Messages of a leg as texts that sipp sends. What names the dialog, the transaction and the parties is made by sipp: Via, From,
 * To, Call-ID, Contact, tags, branches, and addresses. Header lines keep their order; Route and Record-Route are left out, since
 * the two parties talk to each other directly.
 */
final class MessageText {
    private static final Pattern RPORT = Pattern.compile("(?i);\\s*rport(?![^;\\s,])");
    private static final Pattern TAG = Pattern.compile("(?i);\\s*tag\\s*=\\s*[^;,\\s]*");

    private final CallLeg leg;
    private final Naming naming;
    private final MediaLines media;

    MessageText(CallLeg leg, Naming naming, MediaLines media) {
        this.leg = leg;
        this.naming = naming;
        this.media = media;
    }

    /**
     * The text of a message.
     *
     * @param isEchoed whether the request that it responds to was the last message that its sender received; otherwise the
     *     variables of {@link Echo} have what it repeats
     */
    String of(LegMessage message, boolean isEchoed) {
        SipMessageView view = new SipMessageView();
        byte[] bytes = message.kept().bytes();
        view.wrap(bytes, 0, bytes.length);
        Lines lines = new Lines(message, view, isEchoed);
        lines.startLine();
        for (int i = 0; i < view.headerCount(); i++) {
            lines.header(i);
        }
        // sipp reads the headers of a message up to the first NUL
        return lines.text.toString().replace("\\x00", "\\x20") + body(view, lines);
    }

    private String body(SipMessageView view, Lines lines) {
        boolean hasBody = view.bodyLength() > 0;
        String length = "Content-Length: " + (hasBody ? "[len]" : "0") + "\n\n";
        if (!hasBody) {
            return length;
        }
        byte[] bytes = view.octets();
        int from = view.bodyOffset();
        int end = from + view.bodyLength();
        SipMultipart part = new SipMultipart();
        if (!lines.isTextual() || !view.findSdp(part)) {
            return length + SippText.lines(SippText.ofOctets(bytes, from, end - from));
        }
        return length
                + SippText.lines(SippText.ofOctets(bytes, from, part.offset() - from))
                + SdpText.of(SippText.ofOctets(bytes, part.offset(), part.length()), media)
                + rest(SippText.ofOctets(bytes, part.offset() + part.length(), end - part.offset() - part.length()));
    }

    private static String rest(String octets) {
        return octets.isBlank() ? "" : "\n" + SippText.lines(octets.startsWith("\r\n") ? octets.substring(2) : octets);
    }

    /** The variables in which a side keeps what a response to a request repeats. */
    record Echo(String via, String from, String to, String cseq) {
        static Echo of(int number) {
            return new Echo("via" + number, "from" + number, "to" + number, "cseq" + number);
        }
    }

    /** The lines of a message. */
    private final class Lines {
        private final StringBuilder text = new StringBuilder();
        private final LegMessage message;
        private final KeptMessage kept;
        private final SipMessageView view;
        private final boolean isEchoed;
        private final UriText uris;
        private boolean hasVia;

        Lines(LegMessage message, SipMessageView view, boolean isEchoed) {
            this.message = message;
            kept = message.kept();
            this.view = view;
            this.isEchoed = isEchoed;
            uris = new UriText(leg, message.isOfCaller());
        }

        boolean isTextual() {
            return view.text(SipHeader.CONTENT_ENCODING).isEmpty();
        }

        void startLine() {
            if (message.isRequest()) {
                boolean isInDialog = !message.toTag().isEmpty() && !isOfInvite();
                text.append(kept.method())
                        .append(' ')
                        .append(uris.target(latin(kept.requestUri()), isInDialog))
                        .append(" SIP/2.0\n");
            } else {
                text.append("SIP/2.0 ")
                        .append(kept.statusCode())
                        .append(' ')
                        .append(SippText.escaped(latin(kept.reasonPhrase())))
                        .append('\n');
            }
        }

        /** CANCEL and the ACK of a refusal have the Request-URI of their INVITE (RFC 3261, 9.1 and 17.1.1.3). */
        private boolean isOfInvite() {
            return kept.method().equals("CANCEL")
                    || kept.method().equals("ACK")
                            && leg.messages().stream()
                                    .anyMatch(other -> !other.equals(message)
                                            && other.kept().method().equals("INVITE")
                                            && other.toTag().isEmpty()
                                            && other.isOfCaller() == message.isOfCaller()
                                            && !other.branch().isEmpty()
                                            && other.branch().equals(message.branch()));
        }

        void header(int i) {
            switch (view.header(i)) {
                case VIA -> via();
                case FROM -> party("From", i, true);
                case TO -> party("To", i, false);
                case CALL_ID -> text.append("Call-ID: [call_id]\n");
                case CSEQ -> cseq(i);
                case CONTACT -> contact(i);
                case CONTENT_TYPE -> line("Content-Type", i);
                case CONTENT_LENGTH, ROUTE, RECORD_ROUTE -> {
                    // made anew, or left out
                }
                default -> line(view.name(i), i);
            }
        }

        private void line(String name, int i) {
            String value = SippText.ofOctets(view.octets(), view.valueOffset(i), view.valueLength(i))
                    .replaceAll("[\r\n]+[ \t]+", " ");
            text.append(SippText.escaped(latin(name)))
                    .append(": ")
                    .append(SippText.lines(value))
                    .append('\n');
        }

        private void via() {
            if (hasVia) {
                return;
            }
            hasVia = true;
            if (message.isRequest()) {
                text.append("Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=")
                        .append(naming.branch(message))
                        .append(RPORT.matcher(view.firstValue(SipHeader.VIA)).find() ? ";rport" : "")
                        .append('\n');
            } else {
                text.append(isEchoed ? "[last_Via:]\n" : "Via:[$" + echo().via() + "]\n");
            }
        }

        private Echo echo() {
            LegMessage request = message.request();
            return Echo.of(request == null ? 0 : naming.number(request));
        }

        private void cseq(int i) {
            if (message.isRequest()) {
                line("CSeq", i);
            } else {
                text.append(isEchoed ? "[last_CSeq:]\n" : "CSeq:[$" + echo().cseq() + "]\n");
            }
        }

        /** From or To: of a request with its tag; of a response as it came, To with the tag that the request lacked. */
        private void party(String name, int i, boolean isFrom) {
            if (message.isRequest()) {
                boolean isTagOfCaller = isFrom == message.isOfCaller();
                String tag = isFrom ? message.fromTag() : message.toTag();
                text.append(name)
                        .append(": ")
                        .append(address(i, false))
                        .append(naming.tag(isTagOfCaller, tag, isFrom))
                        .append('\n');
                return;
            }
            LegMessage request = message.request();
            boolean isTagged = !isFrom && request != null && request.toTag().isEmpty();
            text.append(isEchoed ? "[last_" + name + ":]" : name + ":[$" + (isFrom ? echo().from() : echo().to()) + "]")
                    .append(isTagged ? naming.tag(message.isOfCaller(), message.toTag(), true) : "")
                    .append('\n');
        }

        /** A redirection leads elsewhere; all other contacts lead to the sender. */
        private void contact(int i) {
            String value = view.value(i);
            boolean isElsewhere = kept.statusCode() / 100 == 3 || kept.statusCode() == 485;
            if (isElsewhere || value.strip().equals("*") || value.contains(">,") || value.contains("> ,")) {
                line("Contact", i);
            } else {
                text.append("Contact: ").append(address(i, true)).append('\n');
            }
        }

        /** A value with its address replaced; that of a party without its tag, which the caller adds. */
        private String address(int i, boolean isContact) {
            SipAddressView address = new SipAddressView();
            int from = view.valueOffset(i);
            int end = from + view.valueLength(i);
            byte[] octets = view.octets();
            address.wrap(octets, from, end - from);
            int uriEnd = address.uriOffset() + address.uriLength();
            String before = unfolded(SippText.ofOctets(octets, from, address.uriOffset() - from));
            String uri = unfolded(SippText.ofOctets(octets, address.uriOffset(), address.uriLength()));
            String after = unfolded(SippText.ofOctets(octets, uriEnd, end - uriEnd));
            if (!isContact) {
                after = TAG.matcher(after).replaceFirst("");
            }
            String written = isContact ? uris.contact(uri) : uris.identity(uri);
            return SippText.escaped(before) + written + SippText.escaped(after);
        }
    }

    private static String unfolded(String octets) {
        return octets.replaceAll("[\r\n]+[ \t]*", " ");
    }

    /** The octets of a text that was decoded as UTF-8. */
    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
