package io.offhook.analysis;

import io.offhook.calls.CallAssembly;
import io.offhook.calls.event.TrafficSink;

/** A sink that receives the traffic of an {@link Analysis} behind the calls, which it may ask. */
@FunctionalInterface
public interface AddedSink {
    /**
     * The sink.
     *
     * @param calls the calls of the analysis; what it may be asked, and when, its methods say
     */
    TrafficSink beside(CallAssembly calls);
}
