package io.offhook.packet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part of headers as text: fields one behind the other, each with its width in bits, or with what it is: {@code ?}
 * a flag, {@code s} a byte with a sign, {@code m} a MAC address, {@code i} an IPv4 address, {@code v} an IPv6 address, {@code l} behind a width for the
 * lowest byte first. A field without a name ({@code -}) is stepped over.
 */
final class HeaderLayouts {
    private static final String LAYERS = """
            STP protocolIdentifier:16 version:8 type:8 flags:8 rootPriority:16 rootMac:m rootPathCost:32
                bridgePriority:16 bridgeMac:m portId:16 messageAge:16 maxAge:16 helloTime:16 forwardDelay:16
            LACP subtype:8 version:8 -:8 -:8 actorSystemPriority:16 actorSystem:m actorKey:16 actorPortPriority:16
                actorPort:16 actorState:8 -:24 -:8 -:8 partnerSystemPriority:16 partnerSystem:m partnerKey:16
                partnerPortPriority:16 partnerPort:16 partnerState:8 -:24 -:8 -:8 collectorMaxDelay:16
            CDP version:8 ttl:8 checksum:16
            MACSEC flags:6 associationNumber:2 -:2 shortLength:6 packetNumber:32
            VNTAG toPort:? pointer:? destination:14 looped:? -:1 version:2 source:12 type:16
            PSEUDOWIRE -:4 flags:4 fragmentation:2 shortLength:6 sequenceNumber:16
            CISCO_HDLC address:8 control:8 type:16
            ARCNET source:8 destination:8 -:16 protocol:8
            IPOIB -:320 type:16
            NFLOG family:8 version:8 group:16
            RADIOTAP version:8 -:8 lengthField:16l present:32l
            WLAN subtype:4 type:2 version:2 order:? encrypted:? moreData:? powerManagement:? retry:? moreFragments:?
                fromDs:? toDs:? duration:16l address1:m address2:m address3:m
            ROUTING nextHeader:8 headerExtensionLength:8 routingType:8 segmentsLeft:8 lastEntry:8 flags:8 tag:16
            MOBILITY payloadProtocol:8 headerExtensionLength:8 type:8 -:8 checksum:16
            IGMP type:8 maximumResponseTime:8 checksum:16
            VRRP version:4 type:4 routerId:8 priority:8 addressCount:8 authentication:8 interval:8 checksum:16
            OSPF version:8 type:8 packetLength:16 routerId:i areaId:i checksum:16 authenticationType:16
            PIM version:4 type:4 reserved:8 checksum:16
            ERSPAN version:4 vlan:12 classOfService:3 encapsulation:2 cut:? sessionId:10
            NSH version:2 oam:? -:1 ttl:6 headerWords:6 -:4 metadataType:4 protocol:8 servicePath:24 serviceIndex:8
            L2TP flags:12 version:4
            CAPWAP preamble:8 headerWords:5 radioId:5 binding:5 nativeFrame:? fragment:? lastFragment:?
                wirelessInformation:? radioMac:? keepAlive:? -:3 fragmentId:16 fragmentOffset:13 -:3
            GTP_C version:3 -:1 -:1 flags:3 type:8 messageLength:16
            UDP_LITE sourcePort:16 destinationPort:16 checksumCoverage:16 checksum:16
            DCCP sourcePort:16 destinationPort:16 dataOffset:8 congestionControl:4 checksumCoverage:4 checksum:16
                -:3 type:4 extended:?
            """;

    private HeaderLayouts() {}

    /** Adds the fields of those layers. */
    static void addTo(Map<LayerType, List<HeaderField>> tables) {
        tables.putAll(parse(LayerType.class, LAYERS));
    }

    /** The layouts of a text: upper case names a layer, and its fields follow. */
    static <E extends Enum<E>> Map<E, List<HeaderField>> parse(Class<E> names, String text) {
        Map<E, List<HeaderField>> layouts = new EnumMap<>(names);
        List<HeaderField> fields = new ArrayList<>();
        int bit = 0;
        for (String word : text.strip().split("\\s+", -1)) {
            int colon = word.indexOf(':');
            if (colon < 0) {
                fields = new ArrayList<>();
                layouts.put(Enum.valueOf(names, word), fields);
                bit = 0;
            } else {
                HeaderField field = field(word.substring(0, colon), bit, word.substring(colon + 1));
                bit += field.bits();
                if (!field.name().equals("-")) {
                    fields.add(field);
                }
            }
        }
        return layouts;
    }

    private static HeaderField field(String name, int bit, String width) {
        return switch (width) {
            case "s" -> new HeaderField(name, bit, 8, HeaderField.Form.SIGNED);
            case "?" -> new HeaderField(name, bit, 1, HeaderField.Form.FLAG);
            case "m" -> new HeaderField(name, bit, 48, HeaderField.Form.MAC);
            case "i" -> new HeaderField(name, bit, 32, HeaderField.Form.IPV4);
            case "v" -> new HeaderField(name, bit, 128, HeaderField.Form.IPV6);
            default -> number(name, bit, width);
        };
    }

    private static HeaderField number(String name, int bit, String width) {
        HeaderField.@Nullable Form form = null;
        char last = width.charAt(width.length() - 1);
        if (last == 'l') {
            form = HeaderField.Form.LITTLE;
        } else if (last == 'x') {
            form = HeaderField.Form.BYTES;
        }
        String digits = form == null ? width : width.substring(0, width.length() - 1);
        return new HeaderField(name, bit, Integer.parseInt(digits), form == null ? HeaderField.Form.NUMBER : form);
    }
}
