package photon.demo.chaos;

import java.util.SortedMap;

/**
 * How large the pipeline has become.
 *
 * @param joinable foreign events that can be joined so far
 * @param published of them
 * @param residentMegabytes by role, of its largest process
 * @param files in states and outputs
 * @param workFiles of these in joiners' work areas, manifests among them
 * @param checkpointBytes of the largest dispatcher's checkpoint
 * @param waitingRows in the journals
 */
record ResourceSample(
        double atSeconds,
        long joinable,
        long published,
        SortedMap<String, Long> residentMegabytes,
        long files,
        long workFiles,
        long checkpointBytes,
        long waitingRows) {}
