//! Which addresses are taken, and what becomes of them.

use super::*;

fn endpoint(address: &str) -> Result<Endpoint, ConfigError> {
    Endpoint::new(&OpenAiConfig::new(address, "m"))
}

#[test]
fn addresses_are_brought_into_one_form() {
    for (address, url, host, loopback) in [
        (
            "https://api.x.com/v1",
            "https://api.x.com/v1/models",
            "api.x.com",
            false,
        ),
        (
            " https://api.x.com/v1/ ",
            "https://api.x.com/v1/models",
            "api.x.com",
            false,
        ),
        (
            "https://api.x.com",
            "https://api.x.com/models",
            "api.x.com",
            false,
        ),
        (
            "https://x.com/v1/chat/completions",
            "https://x.com/v1/models",
            "x.com",
            false,
        ),
        (
            "https://x.com:8443/v1#top",
            "https://x.com:8443/v1/models",
            "x.com:8443",
            false,
        ),
        (
            "http://127.0.0.1:11434/v1",
            "http://127.0.0.1:11434/v1/models",
            "127.0.0.1:11434",
            true,
        ),
        (
            "http://localhost:1234/v1",
            "http://localhost:1234/v1/models",
            "localhost:1234",
            true,
        ),
        (
            "http://[::1]:80/v1",
            "http://[::1]/v1/models",
            "[::1]",
            true,
        ),
    ] {
        let endpoint = endpoint(address).unwrap();
        assert_eq!(
            (
                endpoint.url("/models").as_str(),
                endpoint.host(),
                endpoint.is_loopback()
            ),
            (url, host, loopback)
        );
    }
}

#[test]
fn a_query_stays_with_every_request() {
    let endpoint = endpoint("https://x.com/v1?api-version=7").unwrap();
    assert_eq!(endpoint.query(), [("api-version", "7")]);
    assert_eq!(endpoint.url("/models"), "https://x.com/v1/models");
}

#[test]
fn unsafe_and_unreadable_addresses_are_refused() {
    for address in [
        "",
        "api.x.com/v1",
        "ftp://x.com",
        "file:///etc/passwd",
        "https://",
    ] {
        assert!(
            matches!(endpoint(address), Err(ConfigError::Address { .. })),
            "{address}"
        );
    }
    for address in [
        "http://x.com/v1",
        "http://192.168.1.9:1234/v1",
        "http://localhost.x.com/v1",
    ] {
        assert!(
            matches!(endpoint(address), Err(ConfigError::PlainHttp { .. })),
            "{address}"
        );
    }
    assert!(matches!(
        endpoint("https://a:b@x.com/v1"),
        Err(ConfigError::Credentials { .. })
    ));
}

#[test]
fn plain_http_is_possible_when_permitted() {
    let mut config = OpenAiConfig::new("http://192.168.1.9:1234/v1", "m");
    config.allow_http = true;
    assert!(!Endpoint::new(&config).unwrap().is_loopback());
}

#[test]
fn headers_carry_the_key_only_when_there_is_one() {
    let mut config = OpenAiConfig::new("https://x.com/v1", "m");
    assert!(Endpoint::new(&config).unwrap().headers().is_empty());
    config.key = Some(ApiKey::new("sk-1").unwrap());
    config.extra_headers = vec![("X-Title".into(), "Diglot".into())];
    let headers = Endpoint::new(&config).unwrap().headers();
    assert_eq!(headers.get("authorization").unwrap(), "Bearer sk-1");
    assert_eq!(headers.get("x-title").unwrap(), "Diglot");
    config.extra_headers = vec![("X Title".into(), "Diglot".into())];
    assert!(matches!(
        Endpoint::new(&config),
        Err(ConfigError::Header { .. })
    ));
}

#[test]
fn settings_print_no_secret() {
    let mut config = OpenAiConfig::new("https://x.com/v1", "m");
    config.key = Some(ApiKey::new("sk-secret").unwrap());
    config.extra_headers = vec![("X-Key".into(), "secret".into())];
    let endpoint = Endpoint::new(&config).unwrap();
    assert!(!format!("{config:?} {endpoint:?}").contains("secret\""));
    assert!(!format!("{config:?} {endpoint:?}").contains("sk-"));
}
