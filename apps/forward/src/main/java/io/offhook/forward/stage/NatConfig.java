package io.offhook.forward.stage;

import io.offhook.config.ConfigTypes.Placed;
import java.util.List;

/**
 * What the keys of a stage of NAT become.
 *
 * @param outside the ports that are outside
 */
public record NatConfig(List<Placed<String>> outside) {}
