//! Who takes part: an address for each process.

use std::collections::BTreeMap;

use crate::error::HostsError;

/// Most processes of a cluster.
const MOST_HOSTS: usize = 1024;
/// Most bytes of an address: a DNS name has 253.
const LONGEST: usize = 300;

/// The addresses of all processes; process I listens at the address with number I.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads a hosts file: a line `HOST:PORT` for each process, in order; empty lines and what
    /// follows a `#` do not count.
    ///
    /// ```
    /// use yose_cluster::Hosts;
    ///
    /// let hosts = Hosts::parse("node-0:7100\nnode-1:7100 # the second\n")?;
    /// assert_eq!(hosts.addresses(), ["node-0:7100", "node-1:7100"]);
    /// assert!(Hosts::parse("node-0:7100\nnode-0:7100\n").is_err());
    /// # Ok::<(), yose_cluster::HostsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`HostsError`] says which line is no address, or stands there twice.
    pub fn parse(text: &str) -> Result<Hosts, HostsError> {
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        let mut addresses = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let address = text.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            if !is_address(address) {
                return Err(HostsError::Address {
                    line,
                    got: address.chars().take(80).collect(),
                });
            }
            if let Some(first) = lines.insert(address, line) {
                return Err(HostsError::Twice {
                    line,
                    first,
                    address: address.to_owned(),
                });
            }
            addresses.push(address.to_owned());
            if addresses.len() > MOST_HOSTS {
                return Err(HostsError::TooMany {
                    most: MOST_HOSTS,
                    what: "addresses",
                    got: addresses.len(),
                });
            }
        }
        if addresses.is_empty() {
            return Err(HostsError::Empty);
        }
        Ok(Hosts(addresses))
    }

    /// The addresses, by number of the process.
    #[must_use]
    pub fn addresses(&self) -> &[String] {
        &self.0
    }

    /// Whether there is a process with this number.
    ///
    /// # Errors
    ///
    /// [`HostsError::Process`] if not.
    pub fn check(&self, process: usize) -> Result<(), HostsError> {
        if process < self.0.len() {
            return Ok(());
        }
        Err(HostsError::Process {
            process,
            last: self.0.len() - 1,
        })
    }
}

/// `HOST:PORT`; an IPv6 address stands in brackets.
fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else {
        return false;
    };
    let digits = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let port = digits && port.parse::<u16>().is_ok_and(|port| port > 0);
    let name = |host: &str| {
        !host.is_empty()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
    };
    let bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .is_some_and(|host| host.parse::<std::net::Ipv6Addr>().is_ok());
    text.len() <= LONGEST && port && (name(host) || bracketed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_an_address() {
        for good in ["a:1", "10.0.0.1:65535", "[::1]:7100", "n-0.x_y.svc:7100"] {
            assert!(is_address(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a:",
            ":1",
            "a:0",
            "a:65536",
            "a:+1",
            "a b:1",
            "::1:7100",
            "[::1:7100",
            "a:1:2",
            "[x]:1",
            "ä:1",
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| Hosts::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("a:1\n\nb\n"),
            "line 3: expected HOST:PORT with a port from 1 to 65535, got 'b'"
        );
        assert_eq!(
            error("a:1\n# x\na:1\n"),
            "line 3: a:1 is already the address of line 1"
        );
        assert_eq!(Hosts::parse(" # nobody\n"), Err(HostsError::Empty));
        let many: String = (1..=2000).map(|port| format!("a:{port}\n")).collect();
        assert!(matches!(
            Hosts::parse(&many),
            Err(HostsError::TooMany { .. })
        ));
        let hosts = Hosts::parse("a:1\nb:1").unwrap();
        assert_eq!(hosts.check(1), Ok(()));
        assert_eq!(
            hosts.check(2),
            Err(HostsError::Process {
                process: 2,
                last: 1
            })
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,60}([\n:0-9a-z#.]{0,60})") {
            if let Ok(hosts) = Hosts::parse(&text) {
                let again = hosts.addresses().join("\n");
                prop_assert_eq!(Hosts::parse(&again), Ok(hosts));
            }
        }
    }
}
