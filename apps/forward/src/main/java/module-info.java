/** Run-to-completion packet applications: ports, lanes and a list of stages. */
module io.offhook.forward {
    requires transitive io.offhook.config;
    requires transitive io.offhook.dpdk;
    requires transitive io.offhook.live;
    requires static transitive org.jspecify;

    exports io.offhook.forward;
    exports io.offhook.forward.application;
    exports io.offhook.forward.port;
    exports io.offhook.forward.stage;

    uses io.offhook.forward.application.PortBackend;
    uses io.offhook.forward.application.StageType;

    provides io.offhook.forward.application.PortBackend with
            io.offhook.forward.port.PacketSocketPortBackend,
            io.offhook.forward.port.XdpPortBackend,
            io.offhook.forward.port.DpdkPortBackend;
    provides io.offhook.forward.application.StageType with
            io.offhook.forward.stage.DecodeStageType,
            io.offhook.forward.stage.FilterStageType,
            io.offhook.forward.stage.BridgeStageType,
            io.offhook.forward.stage.RouteStageType,
            io.offhook.forward.stage.RateLimitStageType,
            io.offhook.forward.stage.MirrorStageType,
            io.offhook.forward.stage.VlanPushStageType,
            io.offhook.forward.stage.VlanPopStageType,
            io.offhook.forward.stage.NatDestinationStageType,
            io.offhook.forward.stage.NatSourceStageType;
}
