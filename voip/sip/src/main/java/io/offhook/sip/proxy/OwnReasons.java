package io.offhook.sip.proxy;

/** The reason phrases of the responses that the proxy concludes by itself (RFC 3261, 21). */
final class OwnReasons {
    private OwnReasons() {}

    static String of(int status) {
        return switch (status) {
            case 408 -> "Request Timeout";
            case 416 -> "Unsupported URI Scheme";
            case 430 -> "Flow Failed";
            case 480 -> "Temporarily Unavailable";
            case 487 -> "Request Terminated";
            case 502 -> "Bad Gateway";
            case 503 -> "Next Hop Unavailable";
            case 513 -> "Message Too Large";
            default -> "Server Internal Error";
        };
    }
}
