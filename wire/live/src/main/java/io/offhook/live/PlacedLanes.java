package io.offhook.live;

import io.offhook.linux.lanes.LaneMeter;

/** The lanes of one reading, whose places are reserved in their order; their names end with their numbers. */
public final class PlacedLanes {
    private final LanePlacement placement;
    private final LanePlacement.Place[] places;

    /**
     * Reserves the places.
     *
     * @param name what the names of the lanes begin with
     * @param lanes how many, 1 or more
     */
    public PlacedLanes(LanePlacement placement, String name, int lanes) {
        this.placement = placement;
        places = new LanePlacement.Place[lanes];
        for (int i = 0; i < lanes; i++) {
            places[i] = placement.reserve(name + '-' + i);
        }
    }

    /**
     * A lane begins or ends; called by its thread.
     *
     * @param lane its number, from 0
     * @throws io.offhook.linux.LinuxException if the kernel does not allow it to run in its place
     */
    public void lane(int lane, boolean begins) {
        if (begins) {
            places[lane].enter();
        } else {
            places[lane].leave();
        }
    }

    /**
     * The calling lane begins to wait for other lanes, or has waited; its meter notes that, if it has one.
     *
     * @param begins false when it has waited
     */
    public static void waits(boolean begins) {
        LaneMeter meter = LaneMeter.current();
        if (meter == null) {
            return;
        }
        if (begins) {
            meter.waits(System.nanoTime());
        } else {
            meter.works(System.nanoTime());
        }
    }

    /** Observes where they run: {@link LanePlacement#sample}. */
    public void sample() {
        placement.sample();
    }
}
