package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.ConfigException;

/** Keys that variables of the environment set, and what is said of wrong ones. */
class ConfigVariablesTest {
    private static final Path FILE = Path.of("/etc/photon.yaml");

    private static final String TEXT =
            """
            pipeline: ads
            datacenters: [east]
            retention: 7d
            primary:
              paths: ["a*"]
              format: {type: csv}
              id: {from: [a]}
              timestamp: {field: t, unit: millis}
            foreign:
              paths: b
              format: {type: framed}
              id: native
              primaryId: native
            limits: {retriesMax: 7}
            """;

    private static ConfigLoader.Loaded load(Map<String, String> environment) {
        return ConfigSource.parse(TEXT, FILE, environment).read().loaded();
    }

    private static List<String> problems(Map<String, String> environment) {
        ConfigException wrong =
                catchThrowableOfType(ConfigException.class, () -> load(environment));
        assertThat(wrong).as("refused: %s", environment).isNotNull();
        return wrong.problems();
    }

    @Test
    void eachFormOfAValueIsReadAsInTheFile() {
        PipelineConfig config =
                load(Map.of(
                                "PHOTON_CONFIG_pipeline",
                                "clicks",
                                "PHOTON_CONFIG_datacenters",
                                "[east, west]",
                                "PHOTON_CONFIG_primary_paths",
                                "\"*.csv\"",
                                "PHOTON_CONFIG_primary_where",
                                "{event_type: [\"0\", 3]}",
                                "PHOTON_CONFIG_primary_format_header",
                                "true",
                                "PHOTON_CONFIG_limits_publishEvery",
                                "1s",
                                "PHOTON_CONFIG_limits_publishBytes",
                                "2MiB",
                                "PHOTON_CONFIG_limits_registryShards",
                                "4",
                                "PHOTON_CONFIG_repair_fenceAfter",
                                "off",
                                "PHOTON_CONFIG_adapter_options_spamAgents",
                                "[bot, crawler]"))
                        .pipeline();
        assertThat(config.pipeline()).isEqualTo("clicks");
        assertThat(config.datacenters()).containsExactly("east", "west");
        assertThat(config.primary().paths()).containsExactly("/etc/*.csv");
        assertThat(config.primary().where()).isEqualTo(Map.of("event_type", List.of("0", "3")));
        assertThat(config.limits().publishEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.limits().publishBytes()).isEqualTo(2 << 20);
        assertThat(config.limits().registryShards()).hasValue(4);
        assertThat(config.limits().retriesMax()).as("the file's").isEqualTo(7);
        assertThat(config.repair().fenceAfter()).isEmpty();
        assertThat(config.adapter().options()).isEqualTo(Map.of("spamAgents", "bot,crawler"));
    }

    @Test
    void aMappingReplacesTheFilesWholeMapping() {
        assertThat(load(Map.of("PHOTON_CONFIG_limits", "{rollFiles: 5}")).pipeline().limits())
                .isEqualTo(
                        ConfigSource.parse(
                                        TEXT.replace("{retriesMax: 7}", "{rollFiles: 5}"),
                                        FILE,
                                        Map.of())
                                .read()
                                .loaded()
                                .pipeline()
                                .limits());
    }

    @Test
    void everyKeyHasOneVariableAndNoOtherKeyHasIt() {
        for (DocumentedKeys.Sample sample : DocumentedKeys.samples()) {
            for (DocumentedKeys.Asked asked : sample.asked()) {
                assertThat(asked.key().path()).matches("[A-Za-z0-9]+([.\\[\\]A-Za-z0-9]+)*");
            }
        }
    }

    /** What a variable sets is what a file says: each key of every sample by a variable instead. */
    @Test
    void everySectionOfAFileMayComeFromVariables() {
        for (DocumentedKeys.Sample sample : DocumentedKeys.samples()) {
            Map<String, String> environment = new HashMap<>();
            for (Map.Entry<String, JsonNode> each : sample.tree().properties()) {
                environment.put("PHOTON_CONFIG_" + each.getKey(), each.getValue().toString());
            }
            assertThat(ConfigSource.parse("", FILE, environment).read().loaded())
                    .isEqualTo(ConfigLoader.reading(sample.tree(), Path.of("/etc")).loaded());
        }
    }

    @Test
    void otherVariablesOfPhotonAreNone() {
        assertThat(
                        load(
                                Map.of(
                                        "PHOTON_CONFIG", "x.yaml",
                                        "PHOTON_LOG", "INFO",
                                        "PHOTON_HEAP", "4g",
                                        "PHOTON_JAVA_OPTS", "-Xss1m",
                                        "photon_config_pipeline", "x")))
                .isEqualTo(load(Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limits_publishEvery | soon | PHOTON_CONFIG_limits_publishEvery is 'soon': expected a duration above 0",
                "limits_retriesMax | 0 | PHOTON_CONFIG_limits_retriesMax is 0: expected a whole number from 1 to",
                "limits_retriesMax | [1] | PHOTON_CONFIG_limits_retriesMax is [1]: expected a whole number",
                "limits | {retriesMax: no} | PHOTON_CONFIG_limits: limits.retriesMax is 'no': expected a whole number",
                "pipeline | Ads | PHOTON_CONFIG_pipeline is 'Ads': expected a name of small letters",
                "primary_timestamp_unit | hours | PHOTON_CONFIG_primary_timestamp_unit is 'hours': expected seconds, millis or micros",
                "retention | 5m | PHOTON_CONFIG_retention is '5m': expected more than limits.expiryMargin",
                "limits_publishEvry | 1s | PHOTON_CONFIG_limits_publishEvry: limits.publishEvry is not a known key: did you mean 'publishEvery'?",
                "LIMITS_PUBLISHEVERY | 1s | PHOTON_CONFIG_LIMITS_PUBLISHEVERY: LIMITS is not a known key: did you mean 'limits'? (in the name of a variable, '_' separates keys, which keep their case",
                "primary_where_event_type | 0 | (in the name of a variable, '_' separates keys",
                "foreign_id_from | [a] | PHOTON_CONFIG_foreign_id_from: in /etc/photon.yaml, foreign.id is no mapping: expected PHOTON_CONFIG_foreign_id to hold all of it, as YAML",
                "datacenters_0 | west | PHOTON_CONFIG_datacenters_0: in /etc/photon.yaml, datacenters is a list: expected PHOTON_CONFIG_datacenters to hold all of it",
                "limits_retriesMax | `` | PHOTON_CONFIG_limits_retriesMax is empty: expected a value for limits.retriesMax, or no such variable",
                "limits__retriesMax | 1 | PHOTON_CONFIG_limits__retriesMax names no key: expected PHOTON_CONFIG_ and the key",
                "`` | 1 | PHOTON_CONFIG_ names no key",
                "primary_paths | *.csv | PHOTON_CONFIG_primary_paths is '*.csv': expected what would stand behind 'paths:' in the file, as YAML",
                "primary_paths | [a | PHOTON_CONFIG_primary_paths is '[a': expected what would stand behind 'paths:' in the file, as YAML, but it is not YAML",
                "primary_format_comment | # | PHOTON_CONFIG_primary_format_comment is '#': expected what would stand behind 'comment:'"
            })
    void whatIsWrongNamesTheVariableItsValueAndWhatWouldBeRight(
            String name, String value, String said) {
        List<String> problems = problems(Map.of("PHOTON_CONFIG_" + name, value));
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0)).contains(said);
    }

    @Test
    void aKeyIsSetByOneVariable() {
        assertThat(
                        problems(
                                Map.of(
                                        "PHOTON_CONFIG_limits", "{rollFiles: 5}",
                                        "PHOTON_CONFIG_limits_rollFiles", "5")))
                .containsExactly(
                        "PHOTON_CONFIG_limits and PHOTON_CONFIG_limits_rollFiles both set limits.rollFiles: expected one of them");
    }

    /** The file alone is right: what is wrong with it now, a variable has done. */
    @Test
    void aFileThatIsWrongOnlyTogetherWithVariablesNamesThem() {
        assertThat(problems(Map.of("PHOTON_CONFIG_limits_expiryMargin", "8d")))
                .containsExactly(
                        "/etc/photon.yaml: retention is '7d': expected more than limits.expiryMargin, 8d, or every event is too old at once",
                        "These environment variables override keys of /etc/photon.yaml: PHOTON_CONFIG_limits_expiryMargin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hadoop|{fs.s3a.secret.key: hunter2}|hadoop.fs.s3a.secret.key",
                "hadoop|{ssl.server.keystore.password: [hunter2]}|hadoop.ssl.server.keystore.password",
                "hadoop|{fs.azure.account.key.a.blob.core.windows.net: hunter2}|hadoop.fs.azure.account.key.a",
                "adapter_options|{dbPassword: hunter2}|adapter.options.dbPassword",
                "adapter_options_clientSecret|hunter2|adapter.options.clientSecret",
                "adapter_options_apiKey|hunter2|adapter.options.apiKey",
                "hadoop|{fs.azure.sas.fixed.token.a.dfs.core.windows.net: hunter2}|hadoop.fs.azure.sas.fixed.token.a"
            })
    void noSecretIsTakenAndNoneIsPrinted(String secret) {
        String[] parts = secret.split("\\|", -1);
        List<String> problems = problems(Map.of("PHOTON_CONFIG_" + parts[0], parts[1]));
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0))
                .startsWith("PHOTON_CONFIG_" + parts[0] + ": " + parts[2])
                .contains("would hold a secret, and a configuration holds none: expected ")
                .doesNotContain("hunter2");
    }

    @Test
    void aBrokenTextThatMayHoldASecretIsNotPrinted() {
        assertThat(problems(Map.of("PHOTON_CONFIG_hadoop", "{fs.s3a.secret.key: hunter2")).get(0))
                .startsWith("PHOTON_CONFIG_hadoop: expected what would stand behind 'hadoop:'")
                .doesNotContain("hunter2");
        assertThat(problems(Map.of("PHOTON_CONFIG_password", "hunter2")).get(0))
                .startsWith("PHOTON_CONFIG_password: password is not a known key")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hadoop.security.credstore.java-keystore-provider.password-file",
                "hadoop.http.authentication.signature.secret.file",
                "dfs.client.use.datanode.hostname",
                "hadoop.security.credential.provider.path",
                "passwordFile",
                "spamAgents"
            })
    void namesOfPlacesAreNoSecrets(String name) {
        assertThat(SecretName.isOne(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token",
                "apiToken",
                "refresh.token",
                "api_key",
                "API-KEY",
                "accessKey",
                "awsSecretAccessKey",
                "privateKey",
                "credentials",
                "fs.adl.oauth2.credential",
                "fs.adl.oauth2.refresh.token",
                "fs.gs.auth.service.account.private.key",
                "fs.s3a.session.token",
                "fs.s3a.bucket.logs.secret.key",
                "fs.azure.sas.fixed.token",
                "fs.azure.sas.fixed.token.logs.a.dfs.core.windows.net",
                "fs.azure.sas.logs.a.blob.core.windows.net",
                "fs.azure.account.oauth2.refresh.token.a.dfs.core.windows.net",
                "fs.azure.account.oauth2.user.password.a.dfs.core.windows.net",
                "fs.azure.account.oauth2.client.secret.a.dfs.core.windows.net"
            })
    void usualNamesOfSecretsAreKnown(String name) {
        assertThat(SecretName.isOne(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "primaryKey",
                "keyField",
                "tokenizer",
                "maxTokens",
                "tokenUrl",
                "apiKeyFile",
                "accessKeyId",
                "credentialsPath",
                "dfs.block.access.token.enable",
                "dfs.block.access.token.lifetime",
                "fs.s3a.access.key",
                "fs.s3a.bucket.logs.eu.access.key",
                "fs.s3a.aws.credentials.provider",
                "fs.s3a.assumed.role.credentials.provider",
                "fs.s3a.security.credential.provider.path",
                "fs.s3a.delegation.token.binding",
                "fs.adl.oauth2.access.token.provider.type",
                "fs.azure.enable.delegation.token",
                "fs.azure.sas.token.provider.type.a.dfs.core.windows.net",
                "fs.azure.sas.expiry.period",
                "fs.azure.account.oauth2.refresh.token.endpoint",
                "fs.azure.account.oauth2.refresh.token.endpoint.a.dfs.core.windows.net",
                "fs.azure.account.keyprovider.a.dfs.core.windows.net",
                "hadoop.security.credential.clear-text-fallback",
                "hadoop.security.token.service.use_ip",
                "hadoop.http.authentication.token.validity",
                "hadoop.security.group.mapping.ldap.bind.password.alias",
                "yarn.resourcemanager.delegation.token.max-lifetime"
            })
    void whatOnlyHasToDoWithSecretsIsNone(String name) {
        assertThat(SecretName.isOne(name)).isFalse();
    }

    /** YAML takes them for the names of other values, of which there are none: a glob without *. */
    @Test
    void aGlobWithoutQuotesIsRefusedInTheFileToo() {
        ConfigException wrong =
                catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigLoader.parse(TEXT.replace("[\"a*\"]", "*.csv"), FILE));
        assertThat(wrong)
                .hasMessageStartingWith("/etc/photon.yaml ")
                .hasMessageContaining("line 5");
    }
}
