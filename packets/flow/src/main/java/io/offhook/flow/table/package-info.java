/**
 * Flows and their counters. {@link io.offhook.flow.table.FlowTable} counts the packets of each flow within hard limits
 * and reports a {@link io.offhook.flow.table.Flow} when it ends; {@link io.offhook.flow.table.CommunityId} computes the
 * identifier that other tools use for the same flow.
 */
@NullMarked
package io.offhook.flow.table;

import org.jspecify.annotations.NullMarked;
