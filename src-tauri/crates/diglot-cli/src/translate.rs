//! `translate`: a folder from start to end by the same commands as the window's. Owns the order of the work and
//! when it ends; must not decide what a fault is.

mod provider;
mod review;
mod summary;

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use diglot_api::Workbench;
use diglot_api::error::ApiError;
use diglot_api::event::ApiEvent;
use diglot_api::schema::{
    ProjectOpenRequest, ProjectViewRequest, SessionCreateRequest, SessionInputRequest,
    SessionRequest, SessionViewRequest,
};
use diglot_api::view::project::ProjectView;
use diglot_api::view::session::{FinishView, SessionView};

use crate::args::TranslateArgs;
use crate::exit::Exit;
use crate::progress::{Progress, Style};
use crate::{host, signal};
use provider::Override;
use review::Review;
use summary::{Stopped, Summary};

/// How often a model is told to go on when it ends its turn and nothing was confirmed since.
const NUDGES: usize = 2;
const NUDGE: &str = "Go on with the open units, in document order, until none is left.";

/// Translates a folder and prints a summary.
pub(crate) async fn run(args: TranslateArgs) -> Exit {
    let start = Instant::now();
    let progress = Arc::new(Progress::new(Style::of(args.quiet)));
    let teller = Arc::clone(&progress);
    let opened = host::open(args.data.as_deref(), move |event| tell(&teller, &event));
    let workbench = match opened {
        Ok(workbench) => workbench,
        Err(error) => {
            host::complain_of(&error);
            return Exit::of(&error);
        }
    };
    let outcome = with_provider(&workbench, &args, &progress).await;
    // Target files that are not written yet are written here.
    workbench.close().await;
    progress.end();
    match outcome {
        Ok(mut summary) => {
            summary.seconds = start.elapsed().as_secs_f64();
            if let Some(error) = &summary.error {
                host::complain_of(error);
            }
            print(&summary)
        }
        Err(error) => {
            host::complain_of(&error);
            Exit::of(&error)
        }
    }
}

fn print(summary: &Summary) -> Exit {
    let line = serde_json::to_string(summary).unwrap_or_default();
    match writeln!(io::stdout(), "{line}") {
        Ok(()) => summary.exit(),
        Err(_) => Exit::Failure,
    }
}

fn tell(progress: &Progress, event: &ApiEvent) {
    if let ApiEvent::RunChanged {
        try_again_at: Some(at),
        ..
    } = event
    {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        });
        let seconds = at.saturating_sub(now).max(0).div_euclid(1000) + 1;
        progress.note(&format!(
            "the model asks to wait; trying again in {seconds} s"
        ));
    }
}

/// Sets the provider for the time of the work, and puts the settings back where they are the window's.
async fn with_provider(
    workbench: &Arc<Workbench>,
    args: &TranslateArgs,
    progress: &Progress,
) -> Result<Summary, ApiError> {
    let settings = Override::apply(workbench, args).await?;
    let n_nudges = if settings.has_model { NUDGES } else { 0 };
    let outcome = translate(workbench, args, n_nudges, progress).await;
    if args.data.is_none() {
        settings.undo(workbench).await?;
    }
    outcome
}

async fn translate(
    workbench: &Arc<Workbench>,
    args: &TranslateArgs,
    n_nudges: usize,
    progress: &Progress,
) -> Result<Summary, ApiError> {
    let path = host::absolute(&args.folder)?.to_string_lossy().into_owned();
    let project = workbench.project_open(ProjectOpenRequest { path }).await?;
    let project = whole(workbench, project).await?;
    let created = workbench
        .session_create(SessionCreateRequest {
            project_id: project.id.clone(),
            source_language: args.from.clone(),
            target_language: args.to.clone(),
            instructions: args.instructions.clone(),
            afresh: None,
        })
        .await?;
    let session_id = created.session.id;
    let mut review = Review::new(Arc::clone(workbench), session_id, args.approve, n_nudges);
    let n_units = summary::count_units(workbench, session_id, &project).await;
    let ended = tokio::select! {
        ended = work(workbench, &mut review, n_units, progress) => ended?,
        () = signal::ended() => {
            let view = workbench.session_stop(SessionRequest { session_id }).await?;
            Ended { view, stopped: Some(Stopped::Interrupted), error: None }
        }
    };
    summary::make(workbench, &project, &ended, &review).await
}

/// Reads all files of a project; it is opened with its first page.
async fn whole(
    workbench: &Arc<Workbench>,
    mut project: ProjectView,
) -> Result<ProjectView, ApiError> {
    while project.files.len() < project.n_files {
        let offset = Some(project.files.len());
        let request = ProjectViewRequest {
            project_id: project.id.clone(),
            offset,
            limit: Some(500),
        };
        let page = workbench.project_view(request).await?;
        if page.files.is_empty() {
            break;
        }
        project.files.extend(page.files);
    }
    Ok(project)
}

/// Tells how the work ended.
pub(crate) struct Ended {
    pub(crate) view: SessionView,
    pub(crate) stopped: Option<Stopped>,
    pub(crate) error: Option<ApiError>,
}

/// Runs the agent and decides, until every unit is confirmed or a person is needed.
async fn work(
    workbench: &Arc<Workbench>,
    review: &mut Review,
    n_units: u64,
    progress: &Progress,
) -> Result<Ended, ApiError> {
    let session_id = review.session_id;
    let mut n_idle = 0;
    loop {
        let view = match workbench.session_run(SessionRequest { session_id }).await {
            Ok(view) => view,
            Err(error) => return failed(workbench, session_id, error).await,
        };
        progress.show(view.session.n_confirmed, n_units);
        if let Some(error) = failure(&view) {
            return Ok(Ended {
                view,
                stopped: Some(Stopped::Error),
                error: Some(error),
            });
        }
        if !view.requests.is_empty() && review.approve.is_none() {
            return Ok(Ended {
                view,
                stopped: Some(Stopped::Waiting),
                error: None,
            });
        }
        let n_decided = review.decide(&view, progress, n_units).await?;
        n_idle = if n_decided == 0 { n_idle + 1 } else { 0 };
        let stopped = match view.finish {
            Some(FinishView::Complete) => {
                return Ok(Ended {
                    view,
                    stopped: None,
                    error: None,
                });
            }
            Some(FinishView::TokenCap) => Some(Stopped::TokenCap),
            _ if review.is_through(n_units) || n_idle > review.n_nudges => Some(Stopped::TurnEnded),
            _ => None,
        };
        if stopped.is_some() {
            return Ok(Ended {
                view,
                stopped,
                error: None,
            });
        }
        if view.requests.is_empty() {
            let text = NUDGE.to_owned();
            workbench
                .session_input(SessionInputRequest { session_id, text })
                .await?;
        }
    }
}

/// Ends the work with an error, as far as the session can still be read.
async fn failed(
    workbench: &Arc<Workbench>,
    session_id: i64,
    error: ApiError,
) -> Result<Ended, ApiError> {
    let view = workbench
        .session_view(SessionViewRequest {
            session_id,
            since_seq: None,
        })
        .await?;
    Ok(Ended {
        view,
        stopped: Some(Stopped::Error),
        error: Some(error),
    })
}

/// Returns why the agent cannot go on, where a failed attempt is the reason.
fn failure(view: &SessionView) -> Option<ApiError> {
    let attempt = view.attempt.as_ref()?;
    attempt
        .try_again_at
        .is_none()
        .then(|| attempt.error.clone())
}

#[cfg(test)]
mod tests;
