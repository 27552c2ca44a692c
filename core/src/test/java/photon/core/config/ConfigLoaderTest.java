package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;

class ConfigLoaderTest {
    private static final String JOBS =
            """
            pipeline: jobs
            datacenters: [east, west]
            retention: unlimited
            primary:
              paths: ["data/*.csv.gz"]
              format: {type: csv, header: false, separator: ",", columns: [time_us, missing_info, job_id, event_type]}
              where: {event_type: ["0"]}
              id: {from: [job_id]}
              timestamp: {field: time_us, unit: micros}
            foreign:
              paths: ["data/*.csv.gz", "/logs/b"]
              format: {type: csv, header: false, separator: ",", columns: [time_us, missing_info, job_id, event_type]}
              where: {event_type: ["2", 3]}
              whereNot: {missing_info: "1"}
              id: {from: [job_id, event_type, time_us]}
              timestamp: {field: time_us, unit: micros}
              primaryId: {from: [job_id]}
            adapter: {type: merge}
            output: {format: json-lines}
            """;

    @TempDir Path directory;

    private ConfigLoader.Loaded load(String yaml) throws IOException {
        Path file = directory.resolve("photon.yaml");
        Files.writeString(file, yaml);
        return ConfigLoader.load(file);
    }

    @Test
    void everyKeyOfTheExampleIsRead() throws IOException {
        PipelineConfig config = load(JOBS).pipeline();
        assertThat(config.pipeline()).isEqualTo("jobs");
        assertThat(config.datacenters()).containsExactly("east", "west");
        assertThat(config.retention()).isEmpty();
        assertThat(config.stagger()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.primary().paths()).containsExactly(directory + "/data/*.csv.gz");
        assertThat(config.foreign().paths())
                .containsExactly(directory + "/data/*.csv.gz", "/logs/b");
        assertThat(config.foreign().format())
                .isEqualTo(
                        new FormatConfig.Csv(
                                false,
                                ',',
                                List.of("time_us", "missing_info", "job_id", "event_type"),
                                ""));
        assertThat(config.foreign().where()).isEqualTo(Map.of("event_type", List.of("2", "3")));
        assertThat(config.foreign().whereNot()).isEqualTo(Map.of("missing_info", List.of("1")));
        assertThat(config.foreign().id())
                .isEqualTo(new IdConfig.User(List.of("job_id", "event_type", "time_us")));
        assertThat(config.foreign().primaryId()).contains(new IdConfig.User(List.of("job_id")));
        assertThat(config.primary().primaryId()).isEmpty();
        assertThat(config.primary().timestamp())
                .contains(
                        new TimestampConfig.Numeric(
                                "time_us",
                                TimestampConfig.Unit.MICROS,
                                TimestampConfig.Dates.PLAUSIBLE));
        assertThat(config.limits()).isEqualTo(PipelineConfig.Limits.DEFAULTS);
    }

    @Test
    void theOtherFormsOfFormatIdAndTimestamp() throws IOException {
        PipelineConfig config =
                load("""
                        pipeline: p
                        datacenters: east
                        retention: 3d
                        stagger: 500ms
                        primary:
                          paths: a
                          format: {type: framed}
                          id: native
                        foreign:
                          paths: b
                          format: {type: json-lines}
                          id: {from: click}
                          timestamp: {field: at, pattern: "yyyy-MM-dd HH:mm:ss", zone: Europe/Zurich, plausible: any}
                          primaryId: {server: s, process: p, timestamp: t}
                          input: {openMembers: trust, finishedAfter: 5m}
                        adapter: {jar: [lib/mine.jar, /opt/x.jar], class: com.example.Mine, options: {a: 1}, timeout: 2s, failuresMaxPercent: 90, failuresWindow: 1000}
                        limits: {publishEvery: 1s, publishBytes: 1MiB, registryShards: 4}
                        repair: {giveUpAfter: 10m, fenceAfter: 1m}
                        """)
                        .pipeline();
        assertThat(config.retention()).contains(Duration.ofDays(3));
        assertThat(config.stagger()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.primary().id()).isEqualTo(new IdConfig.Native());
        assertThat(config.primary().timestamp()).isEqualTo(Optional.empty());
        assertThat(config.foreign().primaryId()).contains(new IdConfig.NativeFields("s", "p", "t"));
        assertThat(config.foreign().timestamp())
                .contains(
                        new TimestampConfig.Pattern(
                                "at",
                                "yyyy-MM-dd HH:mm:ss",
                                ZoneId.of("Europe/Zurich"),
                                TimestampConfig.Dates.ANY));
        assertThat(config.adapter())
                .isEqualTo(
                        new PipelineConfig.Adapter(
                                "com.example.Mine",
                                List.of(directory + "/lib/mine.jar", "/opt/x.jar"),
                                Optional.empty(),
                                Map.of("a", "1"),
                                Duration.ofSeconds(2),
                                90,
                                1_000));
        assertThat(config.primary().input()).isEqualTo(InputConfig.DEFAULTS);
        assertThat(config.foreign().input())
                .isEqualTo(
                        new InputConfig(
                                InputConfig.OpenMembers.TRUST,
                                Duration.ofMinutes(5),
                                InputConfig.DEFAULTS.listEvery(),
                                InputConfig.DEFAULTS.exclude(),
                                InputConfig.DEFAULTS.backlogPercent()));
        assertThat(config.limits().publishBytes()).isEqualTo(1 << 20);
        assertThat(config.limits().publishEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.limits().registryShards()).hasValue(4);
        assertThat(config.repair().giveUpAfter()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.repair().fenceAfter()).contains(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    adapter: {type: merge}        | adapter: {type: merge, failuresMaxPercent: 0} | adapter.failuresMaxPercent is 0: expected a whole number from 1 to 100
                    adapter: {type: merge}        | adapter: {type: com.example.A}  | adapter.type is 'com.example.A': expected merge; your own class is named by adapter.class, with adapter.jar
                    adapter: {type: merge}        | adapter: {class: a.B}           | adapter.jar is missing: expected the path of the adapter's jar
                    adapter: {type: merge}        | adapter: {jar: a.jar}           | adapter.class is missing: expected the full name of the adapter's class
                    adapter: {type: merge}        | adapter: {jar: [], class: a.B}  | adapter.jar is []: expected the path of the adapter's jar
                    adapter: {type: merge}        | adapter: {jar: [a, a], class: B}| adapter.jar is ["a","a"]: expected each jar once
                    adapter: {type: merge}        | adapter: {jar: "hdfs://a", class: B} | adapter.jar is 'hdfs://a': expected paths of local files
                    adapter: {type: merge}        | adapter: {jar: a, class: B, type: merge} | adapter.type is 'merge': expected nothing beside adapter.jar and adapter.class
                    adapter: {type: merge}        | adapter: {address: "h:1", jar: a} | adapter.address is 'h:1': expected no address beside
                    adapter: {type: merge}        | adapter: {address: here}        | adapter.address is 'here': expected host:port, such as 127.0.0.1:7410, or a list of them
                    adapter: {type: merge}        | adapter: {address: []}          | adapter.address is []: expected host:port, such as 127.0.0.1:7410, or a list of them
                    adapter: {type: merge}        | adapter: {address: ["h:1", "h:1"]} | adapter.address is ["h:1","h:1"]: expected each address once
                    adapter: {type: merge}        | adapter: {command: python3 a.py} | adapter.command is 'python3 a.py': expected a program and its arguments as a list
                    adapter: {type: merge}        | adapter: {command: []}          | adapter.command is []: expected a program and its arguments as a list
                    adapter: {type: merge}        | adapter: {command: [a], address: "h:1"} | adapter.command is ["a"]: expected no command beside adapter.address
                    adapter: {type: merge}        | adapter: {command: [a], jar: b} | adapter.command is ["a"]: expected no command beside adapter.jar, adapter.class and adapter.type
                    adapter: {type: merge}        | adapter: {timeout: soon}        | adapter.timeout is 'soon'
                    adapter: {type: merge}        | adaptor: {type: merge}          | adaptor is not a known key: did you mean 'adapter'?
                    header: false                 | headers: false                  | primary.format.headers is not a known key: did you mean 'header'?
                    unit: micros                  | unit: hours                     | primary.timestamp.unit is 'hours': expected seconds, millis or micros
                    unit: micros                  | unit: micros, plausible: maybe  | primary.timestamp.plausible is 'maybe': expected required (dates from 2000 to tomorrow) or any
                    pipeline: jobs                | pipeline: "A b"                 | pipeline is 'A b': expected a name of small letters
                    pipeline: jobs                | stagger: 2s                     | pipeline is missing
                    retention: unlimited          | retention: soon                 | retention is 'soon': expected a duration above 0, up to 36500d
                    retention: unlimited          | retention: 10m                  | retention is '10m': expected more than limits.expiryMargin, 10m
                    retention: unlimited          | retention: 200000d              | retention is '200000d': expected a duration above 0, up to 36500d
                    adapter: {type: merge}        | repair: {giveUpAfter: 0s}       | repair.giveUpAfter is '0s': expected a duration above 0
                    adapter: {type: merge}        | repair: {fenceAfter: 4s}        | repair.fenceAfter is '4s': expected a duration from 5s to 1d, or off
                    adapter: {type: merge}        | repair: {fenceAfter: 2d}        | repair.fenceAfter is '2d': expected a duration from 5s to 1d, or off
                    adapter: {type: merge}        | repair: {fenceAfter: 0}         | repair.fenceAfter is 0: expected a duration from 5s to 1d, or off
                    adapter: {type: merge}        | repair: {giveupAfter: 1h}       | repair.giveupAfter is not a known key: did you mean 'giveUpAfter'?
                    separator: ","                | separator: ";;"                 | primary.format.separator is ';;': expected one character
                    type: csv                     | type: xml                       | primary.format.type is 'xml': expected csv, json-lines, avro or framed
                    id: {from: [job_id]}          | id: native                      | primary.id is 'native': expected a native id only with format {type: framed}
                    datacenters: [east, west]     | datacenters: [east, east]       | datacenters is ["east","east"]: expected
                    format: json-lines            | format: orc                     | output.format is 'orc': expected json-lines, avro, parquet or framed
                    format: json-lines            | format: parquet                 | output.fields is missing: expected the columns, such as
                    format: json-lines            | format: avro, fields: []        | output.fields is []: expected the columns, such as
                    format: json-lines            | fields: [{name: a, type: long}] | output.fields is [{"name":"a","type":"long"}]: expected no fields with format json-lines
                    format: json-lines            | format: framed, fields: [{name: a, type: long}] | output.fields is [{"name":"a","type":"long"}]: expected no fields with format framed
                    format: json-lines            | format: json-lines, named: [{name: ../up}] | output.named[0].name is '../up': expected a name of letters, digits, '-' and '_'
                    format: json-lines            | format: json-lines, named: [{name: late}, {name: late}] | output.named[1].name is 'late': expected each name once
                    format: json-lines            | format: json-lines, named: [{name: late, format: parquet}] | output.named[0].fields is missing: expected the columns
                    format: json-lines            | format: json-lines, named: [{name: late, named: []}] | output.named[0].named
                    format: json-lines            | format: json-lines, named: {late: {}} | output.named is {"late":{}}: expected outputs that differ from the main one
                    format: json-lines            | compression: snappy             | output.compression is 'snappy': expected none, gzip, zstd with format json-lines
                    format: json-lines            | format: avro, compression: gzip, fields: [{name: a, type: long}] | output.compression is 'gzip': expected none, snappy, zstd with format avro
                    format: json-lines            | format: avro, fields: [{name: a, type: int}] | output.fields[0].type is 'int': expected string, long, double, boolean, timestamp-micros, timestamp-millis, json
                    format: json-lines            | format: avro, fields: [{name: 1a, type: long}] | output.fields[0].name is '1a': expected a name of letters, digits and '_'
                    format: json-lines            | format: avro, fields: [{name: a, type: long}, {name: a, type: json}] | output.fields[1].name is 'a': expected each name once
                    format: json-lines            | format: avro, fields: [{name: a, type: long, of: b}] | output.fields[0].of is not a known key
                    primaryId: {from: [job_id]}   | where2: {}                      | foreign.primaryId is missing
                    where: {event_type: ["0"]}    | input: {finishedAfter: 10ms}    | primary.input.finishedAfter is '10ms': expected a duration from 1s to 1d
                    where: {event_type: ["0"]}    | input: {finishedAfter: 2d}      | primary.input.finishedAfter is '2d': expected a duration from 1s to 1d
                    where: {event_type: ["0"]}    | input: {openMembers: maybe}     | primary.input.openMembers is 'maybe': expected verify or trust
                    where: {event_type: ["0"]}    | input: {exclude: [a/b]}         | primary.input.exclude is
                    where: {event_type: ["0"]}    | input: {listEvery: 10ms}        | primary.input.listEvery is
                    where: {event_type: ["0"]}    | input: {finished: 1s}           | primary.input.finished is not a known key: expected one of backlogPercent, exclude, finishedAfter, listEvery, openMembers
                    where: {event_type: ["0"]}    | input: {backlogPercent: 0}      | primary.input.backlogPercent is 0: expected a whole number from 1 to 99
                    where: {event_type: ["0"]}    | input: {backlogPercent: 100}    | primary.input.backlogPercent is 100: expected a whole number from 1 to 99
                    where: {event_type: ["0"]}    | input: {backlogPercent: 0.5}    | primary.input.backlogPercent is '0.5': expected a whole number from 1 to 99
                    where: {event_type: ["0"]}    | where: [a]                      | primary.where is ["a"]: expected a mapping from field to values
                    """)
    void aWrongKeyOrValueIsNamedWithWhatWouldBeRight(String right, String wrong, String message) {
        assertThat(JOBS).contains(right);
        int at = JOBS.indexOf(right);
        String yaml = JOBS.substring(0, at) + wrong + JOBS.substring(at + right.length());
        assertThatThrownBy(() -> load(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void anOutputWithASchemaHasItsColumnsInOrder() throws IOException {
        String right = "format: json-lines";
        String yaml =
                JOBS.replaceFirst(
                        "output: \\{" + right + "}",
                        "output: {format: parquet, fields: [{name: id, type: string}, {name: campaign, type: json, from: primary.campaign}]}");
        OutputConfig output = load(yaml).pipeline().output();
        assertThat(output.format()).isEqualTo(OutputConfig.Format.PARQUET);
        assertThat(output.compression()).isEqualTo(OutputConfig.Compression.ZSTD);
        assertThat(output.fields())
                .containsExactly(
                        new OutputConfig.Field("id", OutputConfig.FieldType.STRING, "id"),
                        new OutputConfig.Field(
                                "campaign", OutputConfig.FieldType.JSON, "primary.campaign"));
        assertThat(load(JOBS).pipeline().output()).isEqualTo(OutputConfig.DEFAULTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"off", "'off'"})
    void fencingBySilenceMayBeOff(String off) throws IOException {
        String right = "adapter: {type: merge}";
        assertThat(JOBS).contains(right);
        PipelineConfig config =
                load(JOBS.replace(right, right + "\nrepair: {fenceAfter: " + off + "}")).pipeline();
        assertThat(config.repair().fenceAfter()).isEmpty();
        assertThat(load(JOBS).pipeline().repair().fenceAfter()).contains(Duration.ofSeconds(30));
    }

    /** For YAML, NO is false, 0123 is 83 and 1.10 is 1.1. */
    @Test
    void aTextIsWhatIsWrittenWhateverYamlMakesOfIt() throws IOException {
        PipelineConfig config =
                load(JOBS.replace(
                                "event_type: [\"2\", 3]",
                                "event_type: [NO, yes, 0123, 1.10, 1_000, TRUE, true, 7]"))
                        .pipeline();
        assertThat(config.foreign().where())
                .isEqualTo(
                        Map.of(
                                "event_type",
                                List.of(
                                        "NO", "yes", "0123", "1.10", "1_000", "TRUE", "true",
                                        "7")));
        assertThat(load(JOBS.replace("header: false", "header: False")).pipeline().foreign())
                .isEqualTo(load(JOBS).pipeline().foreign());
    }

    @Test
    void aKeyThatIsThereTwiceIsRefusedWithBothLines() {
        assertThatThrownBy(() -> load(JOBS + "limits: {publishEvery: 1s}\nlimits: {}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds the key limits twice (lines 20 and 21)");
        assertThatThrownBy(
                        () ->
                                load(
                                        JOBS.replace(
                                                "  where: {event_type: [\"0\"]}\n",
                                                "  where: {event_type: [\"0\"]}\n  where: {a: b}\n")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds the key primary.where twice (lines 7 and 8)");
    }

    @Test
    void aKeyWithoutAValueIsAsGoodAsNone() {
        for (String key : List.of("primaryId: {from: [job_id]}", "id: {from: [job_id]}")) {
            String name = key.substring(0, key.indexOf(':'));
            assertThatThrownBy(() -> load(JOBS.replace(key, name + ":")))
                    .as(name)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(name + " is null: expected where");
        }
        assertThatThrownBy(() -> load(JOBS.replaceAll("format: \\{type: csv.*", "format:")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("foreign.format is null: expected {type: csv}");
    }

    @Test
    void aPatternThatLosesTheTimeOfDayIsRefused() {
        assertThatThrownBy(
                        () ->
                                load(
                                        JOBS.replace(
                                                "unit: micros",
                                                "pattern: \"yyyy-MM-dd hh:mm:ss\"")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "foreign.timestamp.pattern is 'yyyy-MM-dd hh:mm:ss': expected a pattern that tells the time of day");
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        assertThatThrownBy(() -> load("pipeline: A\nlimits: {registryShards: 0, foo: 1}\n"))
                .asInstanceOf(type(ConfigException.class))
                .satisfies(
                        e ->
                                assertThat(String.join("\n", e.problems()))
                                        .contains(
                                                "pipeline is 'A'",
                                                "datacenters is missing",
                                                "primary is missing",
                                                "foreign is missing",
                                                "limits.registryShards is 0: expected a whole number from 1",
                                                "limits.foo is not a known key"));
    }

    @Test
    void aMissingFileAndBrokenYamlAreNamed() {
        assertThatThrownBy(() -> ConfigLoader.load(directory.resolve("none.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.yaml, but there is none");
        assertThatThrownBy(() -> load("pipeline: [jobs\nx: }"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not YAML")
                .hasMessageContaining("line");
        assertThatThrownBy(() -> load("")).isInstanceOf(ConfigException.class);
    }

    @Test
    void aDeploymentIsRead() throws IOException {
        DeploymentConfig deployment =
                load(JOBS
                                + """
                        security: {mode: plaintext}
                        deployment:
                          datacenter: east
                          state: st
                          output: /out
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}
                            - {name: r1, datacenter: west, raft: "far:7100", raftListen: "0.0.0.0:7101", service: "far:7200", leaderWeight: 0}
                          eventStore: 127.0.0.1:7401
                          registryNetwork: wan
                          registryMemoryBytes: 512MiB
                          dispatcher: 127.0.0.1:7402
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:7403"}
                            - {name: joiner-1, address: "127.0.0.1:7404"}
                        """)
                        .deployment()
                        .orElseThrow();
        assertThat(deployment.datacenter()).isEqualTo("east");
        assertThat(deployment.state()).isEqualTo(directory + "/st");
        assertThat(deployment.shared()).isEqualTo(directory + "/st");
        assertThat(deployment.sharesState()).isFalse();
        assertThat(deployment.output()).isEqualTo("/out");
        assertThat(deployment.registryNetwork()).isEqualTo(DeploymentConfig.Network.WAN);
        assertThat(deployment.registryMemoryBytes()).hasValue(512L << 20);
        assertThat(deployment.registry().get(0).service().port()).isEqualTo(7200);
        assertThat(deployment.registry())
                .extracting(DeploymentConfig.RegistryReplica::raftListen)
                .containsExactly(new HostPort("127.0.0.1", 7100), new HostPort("0.0.0.0", 7101));
        assertThat(deployment.registry())
                .extracting(DeploymentConfig.RegistryReplica::leaderWeight)
                .containsExactly(1, 0);
        assertThat(deployment.joiners())
                .containsExactly(
                        new DeploymentConfig.Joiner("joiner-0", new HostPort("127.0.0.1", 7403)),
                        new DeploymentConfig.Joiner("joiner-1", new HostPort("127.0.0.1", 7404)));
        assertThatThrownBy(
                        () -> load(JOBS + "deployment: {datacenter: east, registryNetwork: moon}"))
                .hasMessageContaining("deployment.registryNetwork is 'moon': expected lan or wan");
        assertThatThrownBy(() -> load(JOBS + "deployment: {datacenter: north, registry: []}"))
                .hasMessageContaining(
                        "deployment.datacenter is 'north': expected one of east, west")
                .hasMessageContaining("deployment.joiners is missing: expected a list of joiners");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0B|'0B'",
                "-1MiB|'-1MiB'",
                "a lot|'a lot'",
                "512|512",
                "512MB|'512MB'",
                "9999999999GiB|'9999999999GiB'",
                "[512MiB]|[\"512MiB\"]"
            })
    void aRegistrysMemoryThatIsNoneIsRefused(String value, String told) {
        assertThatThrownBy(
                        () ->
                                load(
                                        JOBS
                                                + "deployment: {datacenter: east, registryMemoryBytes: "
                                                + value
                                                + "}"))
                .hasMessageContaining(
                        "deployment.registryMemoryBytes is "
                                + told
                                + ": expected a size above 0, such as 64MiB");
    }

    private static final String ONE_REPLICA =
            """
            deployment:
              datacenter: east
              eventStore: 127.0.0.1:7401
              dispatcher: 127.0.0.1:7402
              joiners: [{name: joiner-0, address: "127.0.0.1:7403"}]
              registry: [{name: r0, datacenter: east, raft: "127.0.0.1:1", service: "127.0.0.1:2"}]
            """;

    @Test
    void aClockIsChronysOrAPersonVouchesForIt() throws IOException {
        assertThat(clock("")).isEqualTo(DeploymentConfig.Clock.CHRONY);
        assertThat(clock("{source: chrony, chronyc: /usr/bin/chronyc}"))
                .isEqualTo(new DeploymentConfig.Clock(Optional.empty(), "/usr/bin/chronyc"));
        assertThat(clock("{source: configured, bound: 50ms}"))
                .isEqualTo(new DeploymentConfig.Clock(Optional.of(Duration.ofMillis(50)), ""));
        assertThat(clock("{bound: 2s}").bound()).contains(Duration.ofSeconds(2));
    }

    private DeploymentConfig.Clock clock(String value) throws IOException {
        String line = value.isEmpty() ? "" : "  clock: " + value + "\n";
        return load(JOBS + ONE_REPLICA + line).deployment().orElseThrow().clock();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{source: ntp}|deployment.clock.source is 'ntp': expected chrony, or configured",
                "{source: configured}|deployment.clock.bound is missing: expected how far",
                "{bound: 0ms}|deployment.clock.bound is '0ms': expected a duration above 0",
                "{source: chrony, bound: 5ms}|deployment.clock.bound is '5ms': expected no such key",
                "{bound: 5ms, chronyc: c}|deployment.clock.chronyc is 'c': expected no such key",
                "{bond: 5ms}|deployment.clock.bond is not a known key: did you mean 'bound'?",
                "chrony|deployment.clock is 'chrony': expected a mapping"
            })
    void aClockThatIsNoneIsRefused(String value, String message) {
        assertThatThrownBy(() -> clock(value))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems()).singleElement().asString().contains(message));
    }

    @Test
    void metricsAreToldWhereTheFileSays() throws IOException {
        assertThat(load(JOBS).metricsListen()).isEmpty();
        assertThat(load(JOBS + "metrics: {listen: \"127.0.0.1:9400\"}").metricsListen())
                .contains(new HostPort("127.0.0.1", 9400));
        assertThatThrownBy(() -> load(JOBS + "metrics: {lisen: \"127.0.0.1:9400\"}"))
                .hasMessageContaining("metrics.listen is missing: expected host:port")
                .hasMessageContaining("metrics.lisen is not a known key: did you mean 'listen'?");
        assertThatThrownBy(() -> load(JOBS + "metrics: {listen: 9400}"))
                .hasMessageContaining("metrics.listen is 9400: expected host:port");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[]|deployment.registry is []: expected a list of replicas",
                "[{name: r0, datacenter: east, raft: \"h:1\", service: \"h:1\"}]|expected each name and each address once",
                "[{name: a, datacenter: east, raft: \"h:1\", service: \"h:2\"}, {name: a, datacenter: east, raft: \"h:3\", service: \"h:4\"}]"
                        + "|expected each name and each address once",
                "[{name: a, datacenter: east, raft: \"0.0.0.0:1\", service: \"h:2\"}, {name: b, datacenter: east, raft: \"h:3\", service: \"h:4\"}]"
                        + "|expected addresses that the other servers can reach"
            })
    void aRegistryThatCannotBeIsRefused(String replicas, String message) {
        assertThatThrownBy(
                        () ->
                                load(
                                        JOBS
                                                + """
                        deployment:
                          datacenter: east
                          eventStore: 127.0.0.1:7401
                          dispatcher: 127.0.0.1:7402
                          joiners: [{name: joiner-0, address: "127.0.0.1:7403"}]
                        """
                                                + "  registry: "
                                                + replicas
                                                + "\n"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems()).singleElement().asString().contains(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "joiner: \"127.0.0.1:7403\""
                        + "|deployment.joiner is '127.0.0.1:7403': expected the key joiners with a list of joiners",
                "joiners: []|deployment.joiners is []: expected a list of joiners",
                "joiners: joiner-0|deployment.joiners is 'joiner-0': expected a list of joiners",
                "joiners: [{name: a, address: \"h:1\"}, {name: a, address: \"h:2\"}]"
                        + "|expected each name and each address once",
                "joiners: [{name: a, address: \"h:1\"}, {name: b, address: \"h:1\"}]"
                        + "|expected each name and each address once",
                "joiners: [{name: a/b, address: \"h:1\"}]"
                        + "|deployment.joiners[0].name is 'a/b': expected the joiner's slot",
                "joiners: [{name: a}]|deployment.joiners[0].address is missing: expected host:port",
            })
    void joinersThatAreNoneAreRefused(String joiners, String message) {
        assertThatThrownBy(
                        () ->
                                load(
                                        JOBS
                                                + """
                        deployment:
                          datacenter: east
                          registry: [{name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}]
                          eventStore: 127.0.0.1:7401
                          dispatcher: 127.0.0.1:7402
                        """
                                                + "  "
                                                + joiners
                                                + "\n"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems()).singleElement().asString().contains(message));
    }

    private static String storesOf(String lines) {
        return JOBS
                + """
                deployment:
                  datacenter: east
                  registry: [{name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}]
                  dispatcher: 127.0.0.1:7402
                  joiners: [{name: joiner-0, address: "127.0.0.1:7403"}]
                """
                + "  "
                + lines
                + "\n";
    }

    @Test
    void aDatacenterHasOneEventStoreOrSeveral() throws IOException {
        DeploymentConfig one =
                load(storesOf("eventStore: \"127.0.0.1:7401\"")).deployment().orElseThrow();
        assertThat(one.eventStores())
                .containsExactly(
                        new DeploymentConfig.EventStore(
                                "eventstore-0", new HostPort("127.0.0.1", 7401)));
        assertThat(one.eventStoreShares().areWhole()).isTrue();

        String list =
                "eventStores: [{name: a, address: \"127.0.0.1:1\"}, {name: b, address: \"127.0.0.1:2\"}, {name: c, address: \"127.0.0.1:3\"}]";
        DeploymentConfig three = load(storesOf(list)).deployment().orElseThrow();
        assertThat(three.eventStoreShares().names()).containsExactly("a", "b", "c");
        assertThat(three.eventStoreShares().copies()).isEqualTo(2);
        assertThat(three.datacentersByAddress()).containsKey(new HostPort("127.0.0.1", 3));
        assertThat(
                        load(storesOf(list + "\n  eventStoreCopies: 1"))
                                .deployment()
                                .orElseThrow()
                                .eventStoreCopies())
                .isEqualTo(1);
        assertThat(
                        load(storesOf("eventStores: [{name: a, address: \"127.0.0.1:1\"}]"))
                                .deployment()
                                .orElseThrow()
                                .eventStoreCopies())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dispatchers: 1|deployment.eventStore is missing: expected host:port",
                "eventStores: []|deployment.eventStores is []: expected a list of event stores",
                "eventStores: a|deployment.eventStores is 'a': expected a list of event stores",
                "eventStores: [{name: a, address: \"h:1\"}, {name: a, address: \"h:2\"}]"
                        + "|expected each name and each address once",
                "eventStores: [{name: a, address: \"h:1\"}, {name: b, address: \"h:1\"}]"
                        + "|expected each name and each address once",
                "eventStores: [{name: A, address: \"h:1\"}]"
                        + "|deployment.eventStores[0].name is 'A': expected the event store's own name",
                "eventStores: [{name: a}]|deployment.eventStores[0].address is missing: expected host:port",
                "{eventStore: \"h:1\", eventStores: [{name: a, address: \"h:2\"}]}"
                        + "|deployment.eventStore is 'h:1': expected no such key beside eventStores",
                "{eventStore: \"h:1\", eventStoreCopies: 1}"
                        + "|deployment.eventStoreCopies is 1: expected no such key without eventStores",
                "{eventStores: [{name: a, address: \"h:2\"}], eventStoreCopies: 2}"
                        + "|deployment.eventStoreCopies is 2: expected at most as many copies as there are event stores, 1",
                "{eventStores: [{name: a, address: \"h:2\"}], eventStoreCopies: 0}"
                        + "|deployment.eventStoreCopies is 0: expected a whole number from 1 to 64"
            })
    void eventStoresThatAreNoneAreRefused(String stores, String message) {
        String lines =
                stores.startsWith("{")
                        ? stores.substring(1, stores.length() - 1)
                                .replace(", eventStore", "\n  eventStore")
                        : stores;
        assertThatThrownBy(() -> load(storesOf(lines)))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(String.join("\n", e.problems())).contains(message));
    }

    @Test
    void theStateIsOnThisMachine() {
        for (String uri : List.of("hdfs://nn1/photon", "hdfs:/photon", "s3a://bucket/photon")) {
            assertThatThrownBy(() -> load(JOBS + "deployment: {state: \"" + uri + "\"}"))
                    .hasMessageContaining(
                            "deployment.state is '%s': expected a path of this machine, not a URI"
                                    .formatted(uri));
        }
        assertThatThrownBy(() -> load(JOBS + "deployment: {state: \"./hdfs:/a\"}"))
                .hasMessageNotContaining("a URI");
    }

    @ParameterizedTest
    @ValueSource(strings = {"state", "shared", "output"})
    void aUriOfThisMachineIsRefusedWithItsPath(String key) {
        for (String uri : List.of("file:///data", "file:/data", "file://localhost/data")) {
            assertThatThrownBy(() -> load(JOBS + "deployment: {" + key + ": \"" + uri + "\"}"))
                    .hasMessageContaining(
                            "deployment.%s is '%s': expected the path alone, /data"
                                    .formatted(key, uri));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shared", "output"})
    void whatMachinesShareMayBeAUriThatNamesItsHost(String key) {
        for (String uri : List.of("hdfs:/photon", "hdfs:///photon")) {
            assertThatThrownBy(() -> load(JOBS + "deployment: {" + key + ": \"" + uri + "\"}"))
                    .hasMessageContaining(
                            "deployment.%s is '%s': expected a URI that names its host or name service, such as hdfs://namenode/photon"
                                    .formatted(key, uri));
        }
        assertThatThrownBy(() -> load(JOBS + "deployment: {" + key + ": \"hdfs://nn1/photon/\"}"))
                .hasMessageNotContaining("deployment." + key);
    }

    /** They may be in no part that their machine works on, and would never be read. */
    @Test
    void logsOfOneMachineAreNotShared() {
        String shared = "deployment: {shared: \"hdfs://nn1/photon\"%s}";
        assertThatThrownBy(() -> load(JOBS + shared.formatted("")))
                .hasMessageContaining(
                        "foreign.paths is",
                        "expected what all machines read, such as hdfs://namenode/logs/*.log, since dispatchers share the work by hdfs://nn1/photon")
                .hasMessageNotContaining("not a known key");
        assertThatThrownBy(() -> load(JOBS + shared.formatted(", partitions: 1")))
                .hasMessageNotContaining("all machines read");
    }

    @Test
    void partitionsAreOfASharedState() {
        assertThatThrownBy(() -> load(JOBS + "deployment: {partitions: 4}"))
                .hasMessageContaining("deployment.partitions", "no such key without shared");
        assertThatThrownBy(() -> load(JOBS + "deployment: {shared: /s, partitions: 257}"))
                .hasMessageContaining("deployment.partitions is 257");
    }

    @Test
    void hadoopsKeysAreTakenAsTheyAre() throws IOException {
        String yaml =
                """
                hadoop:
                  dfs.replication: 2
                  dfs.client.use.datanode.hostname: true
                  security: {principal: photon@EXAMPLE.ORG, keytab: keys/photon.keytab}
                """;
        HadoopConfig hadoop = load(JOBS + yaml).hadoop();
        assertThat(hadoop.settings())
                .isEqualTo(
                        Map.of("dfs.replication", "2", "dfs.client.use.datanode.hostname", "true"));
        assertThat(hadoop.login())
                .contains(
                        new HadoopConfig.Login(
                                "photon@EXAMPLE.ORG", directory + "/keys/photon.keytab"));
        assertThat(load(JOBS).hadoop()).isEqualTo(HadoopConfig.NONE);
        assertThatThrownBy(() -> load(JOBS + "hadoop: {dfs: {replication: 2}}"))
                .hasMessageContaining(
                        "hadoop.dfs is {\"replication\":2}: expected a value, with the whole name of its key before it");
        String remoteKeys = "hadoop: {security: {principal: p, keytab: \"hdfs://nn1/k\"}}";
        assertThatThrownBy(() -> load(JOBS + remoteKeys))
                .hasMessageContaining(
                        "hadoop.security.keytab is 'hdfs://nn1/k': expected a path of this machine, not a URI");
    }

    @Test
    void aUriAmongThePathsIsLeftAsItIs() throws IOException {
        String yaml = JOBS.replace("\"/logs/b\"", "\"hdfs:/logs/*\", \"hdfs://nn1/logs/*\"");
        assertThat(load(yaml).pipeline().foreign().paths())
                .containsExactly(directory + "/data/*.csv.gz", "hdfs:/logs/*", "hdfs://nn1/logs/*");
    }

    private static final String CLICKS =
            """
            pipeline: p
            datacenters: [east]
            retention: 3h
            primary:
              paths: [a]
              format: {type: json-lines}
              id: {from: [query]}
              timestamp: {field: at, unit: millis}
            foreign:
              paths: [b]
              format: {type: json-lines}
              id: {from: [click]}
              timestamp: {field: at, unit: millis}
              primaryId: {from: [query]}
            """;

    @Test
    void aLeftJoinHasADeadlineThatTheRegistryCanKeep() throws IOException {
        assertThat(load(CLICKS).pipeline().unmatched()).isEmpty();
        assertThat(load(CLICKS + "unmatched: {after: 169m}\n").pipeline().unmatched())
                .contains(new PipelineConfig.Unmatched(Duration.ofMinutes(169), false));
        assertThatThrownBy(() -> load(CLICKS + "unmatched: {after: 170m}\n"))
                .hasMessageContaining(
                        "unmatched.after is '170m': expected less than 170m, which is retention less limits.expiryMargin");
        assertThatThrownBy(() -> load(CLICKS + "unmatched: {}\n"))
                .hasMessageContaining("unmatched.after is missing");
        assertThat(load(CLICKS + "unmatched: {after: 1h, upgrade: true}\n").pipeline().unmatched())
                .contains(new PipelineConfig.Unmatched(Duration.ofHours(1), true));
        assertThatThrownBy(() -> load(CLICKS + "unmatched: {after: 1h, upgrade: 1h}\n"))
                .hasMessageContaining("unmatched.upgrade is '1h'");
    }
}
