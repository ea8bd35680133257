package io.offhook.packet.walk;

import io.offhook.packet.LayerType;
import io.offhook.packet.LittleEndian;

/** Link types that are named but not decoded: only the length of the capture's own header is known. */
final class OpaqueLayers {
    private static final int USB_LINUX_LENGTH = 48;
    private static final int USB_LINUX_MAPPED_LENGTH = 64;

    private OpaqueLayers() {}

    static int step(Walk walk, int linkType) {
        return switch (linkType) {
            case 189 -> named(walk, LayerType.USB, USB_LINUX_LENGTH);
            case 220 -> named(walk, LayerType.USB, USB_LINUX_MAPPED_LENGTH);
            case 249 -> usbPcap(walk);
            case 186, 266, 288, 293, 294, 295 -> named(walk, LayerType.USB, 0);
            case 187, 201, 251, 254, 255, 256 -> named(walk, LayerType.BLUETOOTH, 0);
            case 195, 215, 230, 283 -> named(walk, LayerType.WPAN, 0);
            case 190, 227 -> named(walk, LayerType.CAN, 0);
            case 253 -> named(walk, LayerType.NETLINK, 0);
            default -> walk.unsupported(LayerType.PAYLOAD);
        };
    }

    /** Lists the layer; the rest is payload. */
    static int named(Walk walk, LayerType type, int headerLength) {
        if (walk.lacks(headerLength)) {
            return walk.truncated(type, headerLength);
        }
        int next = walk.unsupported(type);
        walk.push(type, headerLength);
        return next;
    }

    /** The header starts with its length, little-endian: 27 bytes, and more for some kinds of transfer. */
    private static int usbPcap(Walk walk) {
        if (walk.lacks(27)) {
            return walk.truncated(LayerType.USB, 27);
        }
        int length = LittleEndian.u16(walk.segment, walk.base + walk.at);
        return length < 27 ? walk.malformed(LayerType.USB, 27) : named(walk, LayerType.USB, length);
    }
}
