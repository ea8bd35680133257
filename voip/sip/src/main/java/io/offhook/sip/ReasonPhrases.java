package io.offhook.sip;

/** The usual reason phrases of responses (RFC 3261, 21; RFC 5626, 11.6). */
public final class ReasonPhrases {
    private ReasonPhrases() {}

    /** The phrase of a status code, 200 to 699; that of its class where it is not a usual one of proxies. */
    public static String of(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 300 -> "Multiple Choices";
            case 301 -> "Moved Permanently";
            case 302 -> "Moved Temporarily";
            case 305 -> "Use Proxy";
            case 380 -> "Alternative Service";
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 408 -> "Request Timeout";
            case 410 -> "Gone";
            case 416 -> "Unsupported URI Scheme";
            case 430 -> "Flow Failed";
            case 480 -> "Temporarily Unavailable";
            case 484 -> "Address Incomplete";
            case 486 -> "Busy Here";
            case 487 -> "Request Terminated";
            case 488 -> "Not Acceptable Here";
            case 500 -> "Server Internal Error";
            case 501 -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case 503 -> "Service Unavailable";
            case 513 -> "Message Too Large";
            case 600 -> "Busy Everywhere";
            case 603 -> "Decline";
            case 604 -> "Does Not Exist Anywhere";
            case 606 -> "Not Acceptable";
            default ->
                switch (status / 100) {
                    case 2 -> "OK";
                    case 3 -> "Redirection";
                    case 4 -> "Request Failure";
                    case 5 -> "Server Failure";
                    default -> "Global Failure";
                };
        };
    }
}
