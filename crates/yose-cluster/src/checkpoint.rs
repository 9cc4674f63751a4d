//! Checkpoints of all processes together: each puts its cells, the leader publishes.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use yose_store::{Coding, Generation, Mode, Object, Store, Ticket};

use crate::engine::Options;
use crate::error::ClusterError;
use crate::mesh::Mesh;

/// The version of what a checkpoint holds.
pub(crate) const FORMAT: u32 = 3;

/// How far a solve is: what stands in a manifest, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub(crate) format: u32,
    /// The last ply that is complete.
    pub(crate) ply: u32,
    /// Whether nothing more can be decided.
    pub(crate) complete: bool,
    /// What was decided at each ply from 1 on, as the partition packs it.
    pub(crate) levels: Vec<Vec<u8>>,
    /// What was not, once that is known.
    pub(crate) draws: Vec<u8>,
}

impl Progress {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let now = Progress {
            format: FORMAT,
            ..self.clone()
        };
        // Numbers and lists of them always have a JSON form.
        serde_json::to_vec(&now).unwrap_or_default()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Progress, ClusterError> {
        let progress: Progress = serde_json::from_slice(bytes)
            .map_err(|error| ClusterError::Checkpoint(format!("its payload: {error}")))?;
        if progress.format != FORMAT {
            return Err(ClusterError::Checkpoint(format!(
                "it has format {}, this program knows {FORMAT}",
                progress.format
            )));
        }
        Ok(progress)
    }
}

/// What the leader says when it has opened the store, so that the others find the same one.
#[derive(Debug, Serialize, Deserialize)]
struct Invitation {
    generation: u64,
    /// The description of an object that nobody else can have, and what is in it.
    beacon: Vec<u8>,
    secret: u64,
}

/// What a process says after it has tried to load a generation.
#[derive(Debug, Serialize, Deserialize)]
struct Loaded {
    damage: Option<String>,
}

/// The store of a computation, which all processes see.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    store: Store,
    /// What a user should hear of.
    notes: Vec<String>,
}

fn json<T: Serialize>(thing: &T) -> Result<Vec<u8>, ClusterError> {
    serde_json::to_vec(thing).map_err(|error| ClusterError::bytes("JSON", error.to_string()))
}

fn of_leader<T: for<'a> Deserialize<'a>>(votes: &[Vec<u8>]) -> Result<T, ClusterError> {
    let bytes = votes.first().map(Vec::as_slice).unwrap_or_default();
    serde_json::from_slice(bytes)
        .map_err(|error| ClusterError::bytes("the leader", error.to_string()))
}

impl Checkpoints {
    /// The leader opens the store, the others join it, and make sure that it is the same one.
    pub(crate) fn open(mesh: &mut Mesh, options: &Options) -> Result<Checkpoints, ClusterError> {
        let (location, identity) = (&options.checkpoints, &options.identity);
        if mesh.leads() {
            let opened = Store::open(location, identity, options.mode)
                .map_err(ClusterError::from)
                .and_then(|store| {
                    let secret = std::hash::RandomState::new().build_hasher().finish();
                    let beacon = store.put("beacon", &secret.to_le_bytes(), Coding::Plain)?;
                    let invitation = json(&Invitation {
                        generation: store.ticket().generation,
                        beacon: beacon.to_bytes(),
                        secret,
                    })?;
                    Ok((store, beacon, invitation))
                });
            let (opened, said) = match opened {
                Ok((store, beacon, said)) => (Some((store, beacon)), Ok(said)),
                Err(error) => (None, Err(error)),
            };
            mesh.meet(said)?;
            mesh.meet(Ok(Vec::new()))?;
            let (store, beacon) =
                opened.ok_or_else(|| ClusterError::bytes("the store", "not opened"))?;
            store.discard(&beacon)?;
            let mut notes: Vec<String> = store.notes().iter().map(ToString::to_string).collect();
            if options.mode != Mode::Fresh && store.latest().payload().is_none() {
                notes.push("nothing to resume: from the beginning".to_owned());
            }
            return Ok(Checkpoints { store, notes });
        }
        let (votes, _) = mesh.meet(Ok(Vec::new()))?;
        let joined = of_leader(&votes).and_then(|invitation: Invitation| {
            let ticket = Ticket {
                generation: invitation.generation,
            };
            let other = |what: String| {
                ClusterError::Checkpoint(format!(
                    "{location} is not the place that the leader opened ({what}): all processes \
                     need one that they share"
                ))
            };
            let store = Store::join(location, identity, ticket)
                .map_err(|error| other(error.to_string()))?;
            let beacon = Object::from_bytes(&invitation.beacon)?;
            let found = store
                .read_all(&beacon)
                .map_err(|error| other(error.to_string()))?;
            if found != invitation.secret.to_le_bytes() {
                return Err(other("it has another beacon".to_owned()));
            }
            Ok(store)
        });
        let (store, said) = match joined {
            Ok(store) => (Some(store), Ok(Vec::new())),
            Err(error) => (None, Err(error)),
        };
        mesh.meet(said)?;
        let store = store.ok_or_else(|| ClusterError::bytes("the store", "not joined"))?;
        let notes = Vec::new();
        Ok(Checkpoints { store, notes })
    }

    pub(crate) fn into_parts(self) -> (Store, Vec<String>) {
        (self.store, self.notes)
    }

    /// Loads the newest generation that all can read; `None` if nothing was published yet.
    pub(crate) fn load<T>(
        &mut self,
        mesh: &mut Mesh,
        read: impl Fn(&Store, &Generation, &Progress) -> Result<T, ClusterError>,
    ) -> Result<Option<(Progress, T)>, ClusterError> {
        loop {
            let generation = self.store.latest();
            let mine = generation.payload().map(|payload| {
                let progress = Progress::from_bytes(payload)?;
                let read = read(&self.store, &generation, &progress)?;
                Ok::<_, ClusterError>((progress, read))
            });
            let (said, mine) = match mine {
                None => (json(&Loaded { damage: None }), Ok(None)),
                Some(Ok(mine)) => (json(&Loaded { damage: None }), Ok(Some(mine))),
                Some(Err(error)) if error.is_damage() => {
                    let damage = Some(error.to_string());
                    (json(&Loaded { damage }), Err(error))
                }
                Some(Err(error)) => (Err(error), Ok(None)),
            };
            let (votes, _) = mesh.meet(said)?;
            let mut damaged = None;
            for (process, vote) in votes.iter().enumerate() {
                let loaded: Loaded = serde_json::from_slice(vote)
                    .map_err(|error| ClusterError::bytes("a vote", error.to_string()))?;
                damaged = damaged.or(loaded.damage.map(|what| (process, what)));
            }
            let Some((process, what)) = damaged else {
                return mine;
            };
            // Somebody cannot read it: all go back to the one before, if there is one.
            self.notes.push(format!(
                "generation {} cannot be used: {what}",
                generation.number()
            ));
            let said = if mesh.leads() {
                self.store
                    .fall_back()
                    .map(|generation| generation.number().to_le_bytes().to_vec())
                    .map_err(|_| mine.err().unwrap_or_else(|| mesh.peer(process, what, true)))
            } else {
                Ok(Vec::new())
            };
            self.follow(mesh, said)?;
        }
    }

    /// Makes a generation of what `put` gives everywhere.
    pub(crate) fn make(
        &self,
        mesh: &mut Mesh,
        progress: &Progress,
        put: impl FnOnce(&Store) -> Result<Vec<Object>, ClusterError>,
    ) -> Result<(), ClusterError> {
        let mine = put(&self.store);
        if let Ok(objects) = &mine
            && !mesh.leads()
        {
            for object in objects {
                mesh.send(0, object.to_bytes())?;
            }
        }
        let (said, mine) = match mine {
            Ok(objects) => (Ok(Vec::new()), objects),
            Err(error) => (Err(error), Vec::new()),
        };
        let (_, others) = mesh.meet(said)?;
        let said = if mesh.leads() {
            self.publish(progress, mine, &others)
                .map(|generation| generation.number().to_le_bytes().to_vec())
        } else {
            Ok(Vec::new())
        };
        self.follow(mesh, said)
    }

    fn publish(
        &self,
        progress: &Progress,
        mut objects: Vec<Object>,
        others: &[(usize, Vec<u8>)],
    ) -> Result<Arc<Generation>, ClusterError> {
        for (process, object) in others {
            let object = Object::from_bytes(object).map_err(|error| {
                ClusterError::bytes(format!("process {process}"), error.to_string())
            })?;
            objects.push(object);
        }
        Ok(self.store.publish(objects, &progress.to_bytes())?)
    }

    /// All learn from the leader which generation is the state now.
    fn follow(
        &self,
        mesh: &mut Mesh,
        said: Result<Vec<u8>, ClusterError>,
    ) -> Result<(), ClusterError> {
        let (votes, _) = mesh.meet(said)?;
        let followed = if mesh.leads() {
            Ok(Vec::new())
        } else {
            let number = votes
                .first()
                .and_then(|vote| vote.as_slice().try_into().ok());
            let number = number
                .map(u64::from_le_bytes)
                .ok_or_else(|| ClusterError::bytes("the leader", "no number of a generation"));
            number.and_then(|generation| {
                self.store.follow(Ticket { generation })?;
                Ok(Vec::new())
            })
        };
        mesh.meet(followed)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn another_format_is_refused() {
        let bytes = Progress::default().to_bytes();
        assert!(Progress::from_bytes(&bytes).is_ok());
        let later = String::from_utf8(bytes)
            .unwrap()
            .replace(&format!("\"format\":{FORMAT}"), "\"format\":99");
        let error = Progress::from_bytes(later.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("format 99"), "{error}");
    }

    proptest! {
        #[test]
        fn any_payload_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Progress::from_bytes(&bytes);
        }
    }
}
