package io.offhook.packet;

/**
 * Link types as capture files number them (LINKTYPE_ values of the tcpdump group's registry), and their names.
 *
 * <p>These are plain numbers and not an enum: a file may carry any of 65,536 values, known here or not.
 */
public final class LinkType {
    public static final int NULL = 0;
    public static final int ETHERNET = 1;
    public static final int PPP = 9;
    public static final int PPP_HDLC = 50;
    public static final int PPP_ETHER = 51;
    public static final int RAW = 101;
    public static final int CISCO_HDLC = 104;
    public static final int LOOP = 108;
    public static final int LINUX_SLL = 113;
    public static final int IPV4 = 228;
    public static final int IPV6 = 229;
    public static final int LINUX_SLL2 = 276;

    private LinkType() {}
}
