package io.offhook.sip;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The header fields of SIP (IANA registry), with the name as the RFCs write it and the compact form. The headers marked
 * as lists may have several values in one line, separated by commas (RFC 3261, 7.3.1).
 */
public enum SipHeader {
    /** {@code Accept} (RFC 3261, 20.1). */
    ACCEPT("Accept", true),
    /** {@code Accept-Contact} (RFC 3841). */
    ACCEPT_CONTACT("Accept-Contact", 'a', true),
    /** {@code Accept-Encoding} (RFC 3261, 20.2). */
    ACCEPT_ENCODING("Accept-Encoding", true),
    /** {@code Accept-Language} (RFC 3261, 20.3). */
    ACCEPT_LANGUAGE("Accept-Language", true),
    /** {@code Alert-Info} (RFC 3261, 20.4). */
    ALERT_INFO("Alert-Info", true),
    /** {@code Allow} (RFC 3261, 20.5). */
    ALLOW("Allow", true),
    /** {@code Allow-Events} (RFC 6665). */
    ALLOW_EVENTS("Allow-Events", 'u', true),
    /** {@code Answer-Mode} (RFC 5373). */
    ANSWER_MODE("Answer-Mode", false),
    /** {@code Authentication-Info} (RFC 3261, 20.6). */
    AUTHENTICATION_INFO("Authentication-Info", false),
    /** {@code Authorization} (RFC 3261, 20.7). */
    AUTHORIZATION("Authorization", false),
    /** {@code Call-ID} (RFC 3261, 20.8). */
    CALL_ID("Call-ID", 'i', false),
    /** {@code Call-Info} (RFC 3261, 20.9). */
    CALL_INFO("Call-Info", true),
    /** {@code Contact} (RFC 3261, 20.10). */
    CONTACT("Contact", 'm', true),
    /** {@code Content-Disposition} (RFC 3261, 20.11). */
    CONTENT_DISPOSITION("Content-Disposition", false),
    /** {@code Content-Encoding} (RFC 3261, 20.12). */
    CONTENT_ENCODING("Content-Encoding", 'e', true),
    /** {@code Content-ID} (RFC 8262). */
    CONTENT_ID("Content-ID", false),
    /** {@code Content-Language} (RFC 3261, 20.13). */
    CONTENT_LANGUAGE("Content-Language", true),
    /** {@code Content-Length} (RFC 3261, 20.14). */
    CONTENT_LENGTH("Content-Length", 'l', false),
    /** {@code Content-Type} (RFC 3261, 20.15). */
    CONTENT_TYPE("Content-Type", 'c', false),
    /** {@code CSeq} (RFC 3261, 20.16). */
    CSEQ("CSeq", false),
    /** {@code Date} (RFC 3261, 20.17). */
    DATE("Date", false),
    /** {@code Diversion} (RFC 5806). */
    DIVERSION("Diversion", true),
    /** {@code Error-Info} (RFC 3261, 20.18). */
    ERROR_INFO("Error-Info", true),
    /** {@code Event} (RFC 6665). */
    EVENT("Event", 'o', false),
    /** {@code Expires} (RFC 3261, 20.19). */
    EXPIRES("Expires", false),
    /** {@code Feature-Caps} (RFC 6809). */
    FEATURE_CAPS("Feature-Caps", true),
    /** {@code Flow-Timer} (RFC 5626). */
    FLOW_TIMER("Flow-Timer", false),
    /** {@code From} (RFC 3261, 20.20). */
    FROM("From", 'f', false),
    /** {@code Geolocation} (RFC 6442). */
    GEOLOCATION("Geolocation", true),
    /** {@code History-Info} (RFC 7044). */
    HISTORY_INFO("History-Info", true),
    /** {@code Identity} (RFC 8224). */
    IDENTITY("Identity", 'y', true),
    /** {@code Identity-Info} (RFC 4474). */
    IDENTITY_INFO("Identity-Info", 'n', false),
    /** {@code In-Reply-To} (RFC 3261, 20.21). */
    IN_REPLY_TO("In-Reply-To", true),
    /** {@code Info-Package} (RFC 6086). */
    INFO_PACKAGE("Info-Package", false),
    /** {@code Join} (RFC 3911). */
    JOIN("Join", false),
    /** {@code Max-Breadth} (RFC 5393). */
    MAX_BREADTH("Max-Breadth", false),
    /** {@code Max-Forwards} (RFC 3261, 20.22). */
    MAX_FORWARDS("Max-Forwards", false),
    /** {@code MIME-Version} (RFC 3261, 20.24). */
    MIME_VERSION("MIME-Version", false),
    /** {@code Min-Expires} (RFC 3261, 20.23). */
    MIN_EXPIRES("Min-Expires", false),
    /** {@code Min-SE} (RFC 4028). */
    MIN_SE("Min-SE", false),
    /** {@code Organization} (RFC 3261, 20.25). */
    ORGANIZATION("Organization", false),
    /** {@code P-Access-Network-Info} (RFC 7315). */
    P_ACCESS_NETWORK_INFO("P-Access-Network-Info", true),
    /** {@code P-Asserted-Identity} (RFC 3325). */
    P_ASSERTED_IDENTITY("P-Asserted-Identity", true),
    /** {@code P-Associated-URI} (RFC 7315). */
    P_ASSOCIATED_URI("P-Associated-URI", true),
    /** {@code P-Called-Party-ID} (RFC 7315). */
    P_CALLED_PARTY_ID("P-Called-Party-ID", false),
    /** {@code P-Charging-Vector} (RFC 7315). */
    P_CHARGING_VECTOR("P-Charging-Vector", false),
    /** {@code P-Early-Media} (RFC 5009). */
    P_EARLY_MEDIA("P-Early-Media", true),
    /** {@code P-Preferred-Identity} (RFC 3325). */
    P_PREFERRED_IDENTITY("P-Preferred-Identity", true),
    /** {@code P-RTP-Stat}, a vendor header without an RFC: a phone's media statistics in a BYE. */
    P_RTP_STAT("P-RTP-Stat", false),
    /** {@code Path} (RFC 3327). */
    PATH("Path", true),
    /** {@code Priority} (RFC 3261, 20.26). */
    PRIORITY("Priority", false),
    /** {@code Privacy} (RFC 3323). */
    PRIVACY("Privacy", false),
    /** {@code Proxy-Authenticate} (RFC 3261, 20.27). */
    PROXY_AUTHENTICATE("Proxy-Authenticate", false),
    /** {@code Proxy-Authorization} (RFC 3261, 20.28). */
    PROXY_AUTHORIZATION("Proxy-Authorization", false),
    /** {@code Proxy-Require} (RFC 3261, 20.29). */
    PROXY_REQUIRE("Proxy-Require", true),
    /** {@code RAck} (RFC 3262). */
    RACK("RAck", false),
    /** {@code Reason} (RFC 3326). */
    REASON("Reason", true),
    /** {@code Record-Route} (RFC 3261, 20.30). */
    RECORD_ROUTE("Record-Route", true),
    /** {@code Recv-Info} (RFC 6086). */
    RECV_INFO("Recv-Info", true),
    /** {@code Refer-Sub} (RFC 4488). */
    REFER_SUB("Refer-Sub", false),
    /** {@code Refer-To} (RFC 3515). */
    REFER_TO("Refer-To", 'r', false),
    /** {@code Referred-By} (RFC 3892). */
    REFERRED_BY("Referred-By", 'b', false),
    /** {@code Reject-Contact} (RFC 3841). */
    REJECT_CONTACT("Reject-Contact", 'j', true),
    /** {@code Remote-Party-ID} (draft-ietf-sip-privacy-04). */
    REMOTE_PARTY_ID("Remote-Party-ID", true),
    /** {@code Replaces} (RFC 3891). */
    REPLACES("Replaces", false),
    /** {@code Reply-To} (RFC 3261, 20.31). */
    REPLY_TO("Reply-To", false),
    /** {@code Request-Disposition} (RFC 3841). */
    REQUEST_DISPOSITION("Request-Disposition", 'd', true),
    /** {@code Require} (RFC 3261, 20.32). */
    REQUIRE("Require", true),
    /** {@code Resource-Priority} (RFC 4412). */
    RESOURCE_PRIORITY("Resource-Priority", true),
    /** {@code Retry-After} (RFC 3261, 20.33). */
    RETRY_AFTER("Retry-After", false),
    /** {@code Route} (RFC 3261, 20.34). */
    ROUTE("Route", true),
    /** {@code RSeq} (RFC 3262). */
    RSEQ("RSeq", false),
    /** {@code Security-Client} (RFC 3329). */
    SECURITY_CLIENT("Security-Client", true),
    /** {@code Security-Server} (RFC 3329). */
    SECURITY_SERVER("Security-Server", true),
    /** {@code Security-Verify} (RFC 3329). */
    SECURITY_VERIFY("Security-Verify", true),
    /** {@code Server} (RFC 3261, 20.35). */
    SERVER("Server", false),
    /** {@code Service-Route} (RFC 3608). */
    SERVICE_ROUTE("Service-Route", true),
    /** {@code Session-Expires} (RFC 4028). */
    SESSION_EXPIRES("Session-Expires", 'x', false),
    /** {@code Session-ID} (RFC 7989). */
    SESSION_ID("Session-ID", false),
    /** {@code SIP-ETag} (RFC 3903). */
    SIP_ETAG("SIP-ETag", false),
    /** {@code SIP-If-Match} (RFC 3903). */
    SIP_IF_MATCH("SIP-If-Match", false),
    /** {@code Subject} (RFC 3261, 20.36). */
    SUBJECT("Subject", 's', false),
    /** {@code Subscription-State} (RFC 6665). */
    SUBSCRIPTION_STATE("Subscription-State", false),
    /** {@code Supported} (RFC 3261, 20.37). */
    SUPPORTED("Supported", 'k', true),
    /** {@code Target-Dialog} (RFC 4538). */
    TARGET_DIALOG("Target-Dialog", false),
    /** {@code Timestamp} (RFC 3261, 20.38). */
    TIMESTAMP("Timestamp", false),
    /** {@code To} (RFC 3261, 20.39). */
    TO("To", 't', false),
    /** {@code Unsupported} (RFC 3261, 20.40). */
    UNSUPPORTED("Unsupported", true),
    /** {@code User-Agent} (RFC 3261, 20.41). */
    USER_AGENT("User-Agent", false),
    /** {@code User-to-User} (RFC 7433). */
    USER_TO_USER("User-to-User", true),
    /** {@code Via} (RFC 3261, 20.42). */
    VIA("Via", 'v', true),
    /** {@code Warning} (RFC 3261, 20.43). */
    WARNING("Warning", true),
    /** {@code WWW-Authenticate} (RFC 3261, 20.44). */
    WWW_AUTHENTICATE("WWW-Authenticate", false),
    /** Any other header; {@link SipMessageView#name} has its name. */
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

    @SuppressWarnings("ImmutableEnumChecker") // not written after construction, and not exposed outside the package
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

    /** The one-letter form in lower case; 0 if none is registered. */
    public char compactForm() {
        return compactForm;
    }

    /** The name in lower case, for comparing bytes; must not be modified. */
    byte[] lowerCase() {
        return lowerCase;
    }

    /** The header of a name, in any case and in long or compact form; {@link #OTHER} if it is unknown. */
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
