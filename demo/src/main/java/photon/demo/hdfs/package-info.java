/**
 * HDFS for a demo: a NameNode and DataNodes as processes, and logs that are carried there. The
 * servers' jar is on the class path of these processes alone.
 */
@NullMarked
package photon.demo.hdfs;

import org.jspecify.annotations.NullMarked;
