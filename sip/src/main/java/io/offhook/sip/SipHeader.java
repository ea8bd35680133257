package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The header fields of SIP (IANA registry), each with its name as the RFCs write it and its compact form. Those marked
 * as lists may hold several values in one line, separated by commas (RFC 3261, 7.3.1).
 */
public enum SipHeader {
    ACCEPT("Accept", true),
    ACCEPT_CONTACT("Accept-Contact", 'a', true),
    ACCEPT_ENCODING("Accept-Encoding", true),
    ACCEPT_LANGUAGE("Accept-Language", true),
    ALERT_INFO("Alert-Info", true),
    ALLOW("Allow", true),
    ALLOW_EVENTS("Allow-Events", 'u', true),
    ANSWER_MODE("Answer-Mode", false),
    AUTHENTICATION_INFO("Authentication-Info", false),
    AUTHORIZATION("Authorization", false),
    CALL_ID("Call-ID", 'i', false),
    CALL_INFO("Call-Info", true),
    CONTACT("Contact", 'm', true),
    CONTENT_DISPOSITION("Content-Disposition", false),
    CONTENT_ENCODING("Content-Encoding", 'e', true),
    CONTENT_ID("Content-ID", false),
    CONTENT_LANGUAGE("Content-Language", true),
    CONTENT_LENGTH("Content-Length", 'l', false),
    CONTENT_TYPE("Content-Type", 'c', false),
    CSEQ("CSeq", false),
    DATE("Date", false),
    DIVERSION("Diversion", true),
    ERROR_INFO("Error-Info", true),
    EVENT("Event", 'o', false),
    EXPIRES("Expires", false),
    FEATURE_CAPS("Feature-Caps", true),
    FLOW_TIMER("Flow-Timer", false),
    FROM("From", 'f', false),
    GEOLOCATION("Geolocation", true),
    HISTORY_INFO("History-Info", true),
    IDENTITY("Identity", 'y', true),
    IDENTITY_INFO("Identity-Info", 'n', false),
    IN_REPLY_TO("In-Reply-To", true),
    INFO_PACKAGE("Info-Package", false),
    JOIN("Join", false),
    MAX_BREADTH("Max-Breadth", false),
    MAX_FORWARDS("Max-Forwards", false),
    MIME_VERSION("MIME-Version", false),
    MIN_EXPIRES("Min-Expires", false),
    MIN_SE("Min-SE", false),
    ORGANIZATION("Organization", false),
    P_ACCESS_NETWORK_INFO("P-Access-Network-Info", true),
    P_ASSERTED_IDENTITY("P-Asserted-Identity", true),
    P_ASSOCIATED_URI("P-Associated-URI", true),
    P_CALLED_PARTY_ID("P-Called-Party-ID", false),
    P_CHARGING_VECTOR("P-Charging-Vector", false),
    P_EARLY_MEDIA("P-Early-Media", true),
    P_PREFERRED_IDENTITY("P-Preferred-Identity", true),
    P_RTP_STAT("P-RTP-Stat", false),
    PATH("Path", true),
    PRIORITY("Priority", false),
    PRIVACY("Privacy", false),
    PROXY_AUTHENTICATE("Proxy-Authenticate", false),
    PROXY_AUTHORIZATION("Proxy-Authorization", false),
    PROXY_REQUIRE("Proxy-Require", true),
    RACK("RAck", false),
    REASON("Reason", true),
    RECORD_ROUTE("Record-Route", true),
    RECV_INFO("Recv-Info", true),
    REFER_SUB("Refer-Sub", false),
    REFER_TO("Refer-To", 'r', false),
    REFERRED_BY("Referred-By", 'b', false),
    REJECT_CONTACT("Reject-Contact", 'j', true),
    REMOTE_PARTY_ID("Remote-Party-ID", true),
    REPLACES("Replaces", false),
    REPLY_TO("Reply-To", false),
    REQUEST_DISPOSITION("Request-Disposition", 'd', true),
    REQUIRE("Require", true),
    RESOURCE_PRIORITY("Resource-Priority", true),
    RETRY_AFTER("Retry-After", false),
    ROUTE("Route", true),
    RSEQ("RSeq", false),
    SECURITY_CLIENT("Security-Client", true),
    SECURITY_SERVER("Security-Server", true),
    SECURITY_VERIFY("Security-Verify", true),
    SERVER("Server", false),
    SERVICE_ROUTE("Service-Route", true),
    SESSION_EXPIRES("Session-Expires", 'x', false),
    SESSION_ID("Session-ID", false),
    SIP_ETAG("SIP-ETag", false),
    SIP_IF_MATCH("SIP-If-Match", false),
    SUBJECT("Subject", 's', false),
    SUBSCRIPTION_STATE("Subscription-State", false),
    SUPPORTED("Supported", 'k', true),
    TARGET_DIALOG("Target-Dialog", false),
    TIMESTAMP("Timestamp", false),
    TO("To", 't', false),
    UNSUPPORTED("Unsupported", true),
    USER_AGENT("User-Agent", false),
    USER_TO_USER("User-to-User", true),
    VIA("Via", 'v', true),
    WARNING("Warning", true),
    WWW_AUTHENTICATE("WWW-Authenticate", false),
    /** Any other; the message has its name. */
    OTHER("", false);

    private static final int SLOTS = 512;
    private static final SipHeader[] TABLE = new SipHeader[SLOTS];
    private static final SipHeader[] COMPACT = new SipHeader[256];

    static {
        Arrays.fill(COMPACT, OTHER);
        Arrays.fill(TABLE, OTHER);
        for (SipHeader header : values()) {
            if (header == OTHER) {
                continue;
            }
            byte[] name = header.lowerCase;
            int slot = slot(name.length, name[0], name[name.length >>> 1], name[name.length - 1]);
            while (TABLE[slot] != OTHER) {
                slot = slot + 1 & SLOTS - 1;
            }
            TABLE[slot] = header;
            if (header.compactForm != 0) {
                COMPACT[header.compactForm] = header;
                COMPACT[Character.toUpperCase(header.compactForm)] = header;
            }
        }
    }

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // never written after the constructor, and not handed out of the package
    private final byte[] lowerCase;

    private final char compactForm;
    private final boolean list;

    SipHeader(String text, boolean list) {
        this(text, (char) 0, list);
    }

    SipHeader(String text, char compactForm, boolean list) {
        this.text = text;
        this.lowerCase = text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
        this.compactForm = compactForm;
        this.list = list;
    }

    /** The name as the RFCs write it; "" for {@link #OTHER}. */
    public String text() {
        return text;
    }

    /** Whether one line may hold several values, separated by commas. */
    public boolean isList() {
        return list;
    }

    /** The one-letter form in lower case, 0 where none is registered. */
    public char compactForm() {
        return compactForm;
    }

    /** The name in lower case, to compare bytes with; not to be changed. */
    byte[] lowerCase() {
        return lowerCase;
    }

    /** The header that a name means, in any case and either form; {@link #OTHER} where none is known. */
    static SipHeader read(byte[] text, int from, int length) {
        if (length <= 1) {
            return length == 1 ? COMPACT[text[from] & 0xff] : OTHER;
        }
        int slot = slot(
                length,
                SipLexer.lower(text[from]),
                SipLexer.lower(text[from + (length >>> 1)]),
                SipLexer.lower(text[from + length - 1]));
        while (TABLE[slot] != OTHER) {
            SipHeader header = TABLE[slot];
            if (header.lowerCase.length == length && SipLexer.startsWith(text, from, from + length, header.lowerCase)) {
                return header;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        return OTHER;
    }

    private static int slot(int length, int first, int middle, int last) {
        int key = ((length * 31 + first) * 31 + middle) * 31 + last;
        return key * 0x9e37_79b9 >>> 23;
    }
}
