package io.offhook.cli;

import io.offhook.packet.CdpView;
import io.offhook.packet.Endpoint;
import io.offhook.packet.IgmpView;
import io.offhook.packet.LacpView;
import io.offhook.packet.LayerView;
import io.offhook.packet.LldpView;
import io.offhook.packet.MacAddress;
import io.offhook.packet.MobilityView;
import io.offhook.packet.OspfView;
import io.offhook.packet.PacketWalker;
import io.offhook.packet.PimView;
import io.offhook.packet.StpView;
import io.offhook.packet.VrrpView;
import org.jspecify.annotations.Nullable;

/** Lines about what bridges, routers and hosts tell their neighbors. Single-threaded. */
final class PrintNeighbors {
    private final LldpView lldp = new LldpView();
    private final StpView stp = new StpView();
    private final LacpView lacp = new LacpView();
    private final CdpView cdp = new CdpView();
    private final IgmpView igmp = new IgmpView();
    private final VrrpView vrrp = new VrrpView();
    private final OspfView ospf = new OspfView();
    private final PimView pim = new PimView();
    private final MobilityView mobility = new MobilityView();

    /** Appends a summary of layer {@code i}, and returns its protocol's name; null when it is of none of these. */
    @Nullable
    String describe(PacketWalker walker, int i, StringBuilder to) {
        return switch (walker.layerType(i)) {
            case LLDP -> named("LLDP", walker, i, lldp, to);
            case STP -> named("STP", walker, i, stp, to);
            case LACP -> named("LACP", walker, i, lacp, to);
            case CDP -> named("CDP", walker, i, cdp, to);
            case IGMP -> named("IGMP", walker, i, igmp, to);
            case VRRP -> named("VRRP", walker, i, vrrp, to);
            case OSPF -> named("OSPF", walker, i, ospf, to);
            case PIM -> named("PIM", walker, i, pim, to);
            case MOBILITY -> named("MIPv6", walker, i, mobility, to);
            default -> null;
        };
    }

    private String named(String name, PacketWalker walker, int i, LayerView view, StringBuilder to) {
        if (!walker.wrap(view, i)) {
            to.append("malformed");
            return name;
        }
        switch (name) {
            case "LLDP" -> to.append("valid for ").append(lldp.ttl()).append(" s");
            case "STP" -> stp(to);
            case "LACP" ->
                to.append(MacAddress.text(lacp.actorSystem()))
                        .append(" with ")
                        .append(MacAddress.text(lacp.partnerSystem()));
            case "CDP" -> to.append("version ").append(cdp.version());
            case "IGMP" -> igmp(to);
            case "VRRP" ->
                to.append("version ")
                        .append(vrrp.version())
                        .append(" router ")
                        .append(vrrp.routerId())
                        .append(" priority ")
                        .append(vrrp.priority());
            case "OSPF" ->
                to.append("version ")
                        .append(ospf.version())
                        .append(' ')
                        .append(ospfName(ospf.type()))
                        .append(" from ")
                        .append(ipv4(ospf.routerId()));
            case "PIM" -> to.append(pimName(pim.type()));
            default -> to.append(mobilityName(mobility.type()));
        }
        return name;
    }

    private void stp(StringBuilder to) {
        if (!stp.isConfiguration()) {
            to.append("topology change");
            return;
        }
        to.append("root ").append(stp.rootPriority()).append('/').append(MacAddress.text(stp.rootMac()));
        to.append(" cost ").append(stp.rootPathCost());
    }

    private void igmp(StringBuilder to) {
        switch (igmp.type()) {
            case IgmpView.QUERY -> to.append("query ").append(ipv4(igmp.group()));
            case IgmpView.REPORT_1, IgmpView.REPORT_2 -> to.append("report ").append(ipv4(igmp.group()));
            case IgmpView.LEAVE -> to.append("leave ").append(ipv4(igmp.group()));
            case IgmpView.REPORT_3 ->
                to.append("report of ").append(igmp.recordCount()).append(" groups");
            default -> to.append("type ").append(igmp.type());
        }
    }

    private static String ipv4(long address) {
        return Endpoint.ofIpv4((int) address, 0).addressText();
    }

    private static String ospfName(int type) {
        return switch (type) {
            case 1 -> "hello";
            case 2 -> "database description";
            case 3 -> "link state request";
            case 4 -> "link state update";
            case 5 -> "link state acknowledgment";
            default -> "type " + type;
        };
    }

    private static String pimName(int type) {
        return switch (type) {
            case 0 -> "hello";
            case 1 -> "register";
            case 2 -> "register stop";
            case 3 -> "join/prune";
            case 4 -> "bootstrap";
            case 5 -> "assert";
            case 8 -> "candidate";
            default -> "type " + type;
        };
    }

    private static String mobilityName(int type) {
        return switch (type) {
            case MobilityView.BINDING_REFRESH_REQUEST -> "binding refresh request";
            case MobilityView.HOME_TEST_INIT -> "home test init";
            case MobilityView.CARE_OF_TEST_INIT -> "care-of test init";
            case MobilityView.HOME_TEST -> "home test";
            case MobilityView.CARE_OF_TEST -> "care-of test";
            case MobilityView.BINDING_UPDATE -> "binding update";
            case MobilityView.BINDING_ACKNOWLEDGMENT -> "binding acknowledgment";
            case MobilityView.BINDING_ERROR -> "binding error";
            default -> "type " + type;
        };
    }
}
