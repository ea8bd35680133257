/**
 * What the lanes of a process do, for other processes to read: {@link io.offhook.linux.lanes.LaneBoard} is a small file in
 * memory with a record a lane, {@link io.offhook.linux.lanes.LaneMeter} is what a lane writes into its record, and
 * {@link io.offhook.linux.lanes.PublishedLanes} finds and reads the boards of a process. The file is laid out by
 * {@code LaneLayout}; where it may be is known to {@code LaneFolders}. Readers trust nothing that they read.
 */
@NullMarked
package io.offhook.linux.lanes;

import org.jspecify.annotations.NullMarked;
