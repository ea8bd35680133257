package io.offhook.forward.stage;

import io.offhook.config.ConfigTypes.Placed;
import java.util.List;

/**
 * The values of the keys of a NAT stage.
 *
 * @param outside the outside ports
 */
public record NatConfig(List<Placed<String>> outside) {}
