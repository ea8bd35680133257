/**
 * What is done with packets on their way: {@link io.offhook.forward.stage.BridgeStage}, {@link
 * io.offhook.forward.stage.RouteStage}, NAT, VLAN push and pop, filters, rate limits, mirrors. A stage sees a burst,
 * and for each packet says where it goes or why it is dropped.
 */
@NullMarked
package io.offhook.forward.stage;

import org.jspecify.annotations.NullMarked;
