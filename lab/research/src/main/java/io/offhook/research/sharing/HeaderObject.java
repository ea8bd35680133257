package io.offhook.research.sharing;

/** The fields of a header as a Java object has them, wide enough to be unsigned. */
final class HeaderObject {
    int ttl;
    int identification;
    long source;
    int sourcePort;

    void setTtl(int ttl) {
        this.ttl = ttl;
    }

    void setIdentification(int identification) {
        this.identification = identification;
    }

    void setSource(long source) {
        this.source = source;
    }

    void setSourcePort(int sourcePort) {
        this.sourcePort = sourcePort;
    }

    int getTtl() {
        return ttl;
    }

    int getIdentification() {
        return identification;
    }

    long getSource() {
        return source;
    }

    int getSourcePort() {
        return sourcePort;
    }

    /** What all techniques do to a header; the sum is that of what was there. */
    long change() {
        long sum = ttl + identification + source + sourcePort;
        ttl = ttl - 1 & 0xff;
        identification = identification + 1 & 0xffff;
        source = source + 1 & 0xffff_ffffL;
        sourcePort = sourcePort + 1 & 0xffff;
        return sum;
    }
}
